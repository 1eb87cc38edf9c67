import { Link } from 'react-router-dom'
import type { Section } from '../../parts/article.tsx'
import { ContactLink } from '../../parts/footer.tsx'
import { TERMS } from '../../parts/links.ts'

/** Who else is involved, and what a person may ask for. */
export const rightsSections: readonly Section[] = [
  {
    id: 'sharing',
    title: 'Who else gets data',
    body: (
      <p>
        We do not sell your data. Google or Facebook learn that you sign in here, under their own terms. Illegal
        activity is reported to the authorities, with what the law asks us to hand over.
      </p>
    ),
  },
  {
    id: 'security',
    title: 'How it is protected',
    body: (
      <p>
        Connections are encrypted. Sign-in tokens lie in cookies that no script can read. To other users you are a
        nickname and nothing else.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <p>
        You may ask what we know about you, have it corrected, take a copy with you, object, or withdraw a consent at
        any time. You can also complain to the data protection authority of the place where you live.
      </p>
    ),
  },
  {
    id: 'deletion',
    title: 'Deletion',
    body: (
      <>
        <p>
          Write to <ContactLink /> from the address you sign in with and ask for deletion. Requests are handled within
          10 working days; your profile and everything that belongs to it are then removed.
        </p>
        <p>
          If you came through Facebook, <Link to="/fb-data-deletion">the data deletion page</Link> describes the same
          step by step.
        </p>
      </>
    ),
  },
  {
    id: 'payments',
    title: 'Payments',
    body: (
      <p>
        There is nothing to pay for today. Premium features may come; payments would then run through compliant
        gateways, and we would never see your card.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and contact',
    body: (
      <p>
        This notice belongs to our <Link to={TERMS.to}>terms and conditions</Link>. When it changes, so does the date at
        the top. Questions go to <ContactLink />.
      </p>
    ),
  },
]
