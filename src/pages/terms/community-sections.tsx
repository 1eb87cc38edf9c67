import { PRODUCT_NAME } from '#protocol/constants.ts'
import type { Section } from '../../parts/article.tsx'

/** The community rules; 'View Guidelines' leads here. */
export const communitySections: readonly Section[] = [
  {
    id: 'adults',
    title: 'Adults only',
    body: (
      <p>
        You must be 18 or older. We judge your age by the date of birth that you enter, and it cannot be changed later.
        Minors are banned permanently.
      </p>
    ),
  },
  {
    id: 'community-rules',
    title: 'Community rules',
    body: (
      <ul>
        <li>Be respectful. Harassment, bullying and hate speech lead to a ban.</li>
        <li>Do not discriminate, and do not pressure anyone into anything.</li>
        <li>No explicit content without consent. Adult or offensive content leads to an instant ban.</li>
        <li>No spam and no flooding of the chat.</li>
        <li>Do not impersonate anybody.</li>
        <li>Do not record or share a chat without the consent of the other person.</li>
        <li>Scams and fraud lead to a ban. Illegal activity is reported to the authorities.</li>
      </ul>
    ),
  },
  {
    id: 'stay-safe',
    title: 'Stay safe',
    body: (
      <ul>
        <li>Do not share your real name, address, phone number, e-mail address or social media accounts.</li>
        <li>Never share passwords or bank details.</li>
        <li>Conversations are anonymous, but be careful: you do not know who sits on the other side.</li>
        <li>Leave the chat at once if you feel unsafe, and report the person.</li>
        <li>Do not meet strangers in real life.</li>
      </ul>
    ),
  },
  {
    id: 'reports',
    title: 'Reports, suspensions and appeals',
    body: (
      <>
        <p>
          You can report the person you are talking to. After several reports an account first gets a warning, then a
          temporary suspension. A suspended account can submit an appeal from the dashboard; we decide within 10 days
          and tell you the result.
        </p>
        <p>
          Repeated violations lead to a permanent block. Do not bypass a ban: repeat offenders are blocked permanently,
          with every account they open.
        </p>
      </>
    ),
  },
  {
    id: 'responsibility',
    title: 'Your responsibility',
    body: (
      <p>
        You are responsible for what you say, show and do on {PRODUCT_NAME}. People are connected at random; you may
        meet content that you find inappropriate, and you take part at your own risk.
      </p>
    ),
  },
]
