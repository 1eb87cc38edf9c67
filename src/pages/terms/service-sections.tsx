import { Link } from 'react-router-dom'
import { PRODUCT_NAME } from '#protocol/constants.ts'
import type { Section } from '../../parts/article.tsx'
import { ContactLink } from '../../parts/footer.tsx'
import { PRIVACY } from '../../parts/links.ts'

/** What is agreed about the service itself. */
export const serviceSections: readonly Section[] = [
  {
    id: 'account',
    title: 'Your account',
    body: (
      <p>
        You sign in with a Google or Facebook account that is yours. One person, one account. Keep access to it to
        yourself; what is done with your account counts as done by you.
      </p>
    ),
  },
  {
    id: 'moderation',
    title: 'Moderation',
    body: (
      <p>
        To keep the rules, single camera pictures may be checked automatically, and the picture of a reported person is
        sent to our moderators. Flagged content may be kept temporarily as evidence. The details are in our{' '}
        <Link to={PRIVACY.to}>privacy policy</Link>.
      </p>
    ),
  },
  {
    id: 'service',
    title: 'The service',
    body: (
      <p>
        {PRODUCT_NAME} is offered as it is. We work to keep it available, and we may change, limit or end parts of it.
        We do not promise that you will find a partner, or that a call will never be interrupted. Nothing in these terms
        limits rights that the law gives you and that cannot be waived.
      </p>
    ),
  },
  {
    id: 'payments',
    title: 'Payments',
    body: (
      <p>
        {PRODUCT_NAME} is free today. If premium features come, they will be paid for through compliant payment
        gateways, and never without your explicit order.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    body: (
      <p>
        When these terms change, the date at the top changes with them. If a change matters to you as a user, we ask for
        your consent again before you go on.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Write to <ContactLink /> about anything in these terms.
      </p>
    ),
  },
]
