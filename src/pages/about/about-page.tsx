import { Link } from 'react-router-dom'
import { PRODUCT_NAME, SLOGAN } from '#protocol/constants.ts'
import { Article, type Section } from '../../parts/article.tsx'
import { ContactLink } from '../../parts/footer.tsx'
import { PRIVACY, TERMS } from '../../parts/links.ts'

const sections: readonly Section[] = [
  {
    id: 'how-it-works',
    title: 'How it works',
    body: (
      <ol>
        <li>
          Sign in with Google or Facebook and choose a nickname. Nobody else sees your name or your e-mail address.
        </li>
        <li>Turn on your camera and microphone and press Start video chat.</li>
        <li>We connect you with somebody who is waiting too. You see each other, hear each other and can write.</li>
        <li>Stay as long as you both like. Press Next match to meet somebody else, or Exit to stop.</li>
      </ol>
    ),
  },
  {
    id: 'who-it-is-for',
    title: 'Who it is for',
    body: (
      <p>
        Adults only. You must be 18 or older to use {PRODUCT_NAME}, and an account that belongs to a minor is closed
        permanently.
      </p>
    ),
  },
  {
    id: 'direct',
    title: 'From you to them',
    body: (
      <p>
        Picture and sound travel from one person to the other and are not recorded. Chats are never stored. When two
        networks cannot reach each other directly, the encrypted stream passes through a relay that cannot read it.
      </p>
    ),
  },
  {
    id: 'safe',
    title: 'Keeping it a good place',
    body: (
      <>
        <p>
          Everybody agrees to the same community rules. Anybody can be reported during a call, and reports have
          consequences: a warning, a suspension that can be appealed, or a permanent block. Automatic checks look at
          camera pictures for content that breaks the rules.
        </p>
        <p>
          The rules are in our <Link to={TERMS.to}>terms and conditions</Link>. What we know about you, and for how
          long, is in our <Link to={PRIVACY.to}>data privacy notice</Link>.
        </p>
      </>
    ),
  },
  {
    id: 'contact',
    title: 'Talk to us',
    body: (
      <p>
        Questions, ideas and complaints reach people at <ContactLink />.
      </p>
    ),
  },
]

export function AboutPage() {
  return (
    <Article
      title="About us"
      lead={`${SLOGAN} ${PRODUCT_NAME} brings two strangers together for a conversation, face to face, for as long as both enjoy it.`}
      sections={sections}
    />
  )
}
