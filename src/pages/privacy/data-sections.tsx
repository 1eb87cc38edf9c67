import type { Section } from '../../parts/article.tsx'
import { FrameNote } from './frame-note.tsx'

/** What is known, seen and kept. */
export const dataSections: readonly Section[] = [
  {
    id: 'profile',
    title: 'What we keep about you',
    body: (
      <>
        <p>Your profile, and no more than it needs:</p>
        <ul>
          <li>your e-mail address, as Google or Facebook gives it to us when you sign in;</li>
          <li>the nickname you choose;</li>
          <li>your gender;</li>
          <li>your date of birth, because this service is for adults only;</li>
          <li>your profile picture.</li>
        </ul>
        <p>
          We also note that and when you gave your consent, and technical details of a visit: browser, type of device,
          operating system, IP address and the place it suggests. They protect the service against abuse.
        </p>
      </>
    ),
  },
  {
    id: 'conversations',
    title: 'Your conversations',
    body: (
      <p>
        Picture and sound go from your device to the other person, encrypted. They are not recorded. Text messages are
        passed on and forgotten: chats are never stored, neither by us nor in your browser.
      </p>
    ),
  },
  {
    id: 'others',
    title: 'What others see',
    body: (
      <p>
        The person you talk to sees your camera picture, your nickname and what you write. Your e-mail address, your
        name and your date of birth are never sent to another user.
      </p>
    ),
  },
  {
    id: 'moderation',
    title: 'Camera pictures and moderation',
    body: <FrameNote />,
  },
  {
    id: 'cookies',
    title: 'Cookies',
    body: (
      <p>
        Necessary cookies keep your session and your sign-in; they cannot be read by scripts. Cookies for ads and
        analytics are set only if you allow them in the banner, and everything works without them.
      </p>
    ),
  },
]
