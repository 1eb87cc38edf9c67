import { Link } from 'react-router-dom'
import { PRODUCT_NAME } from '#protocol/constants.ts'
import { Article, type Section } from '../../parts/article.tsx'
import { ContactLink } from '../../parts/footer.tsx'
import { PRIVACY } from '../../parts/links.ts'

const sections: readonly Section[] = [
  {
    id: 'ask',
    title: 'Ask us to delete your data',
    body: (
      <ol>
        <li>
          Write an e-mail to <ContactLink /> from the address of your Facebook or Google account.
        </li>
        <li>Use the subject “Delete my data”. You need not give a reason.</li>
        <li>We confirm that the request has arrived.</li>
        <li>Within 7 business days your data are deleted, and we tell you so.</li>
      </ol>
    ),
  },
  {
    id: 'what',
    title: 'What is deleted',
    body: (
      <>
        <p>
          Your e-mail address, nickname, gender, date of birth and profile picture, your sessions, and the technical
          details of your visits. Conversations are not recorded and chats are never stored, so there is nothing of them
          to delete.
        </p>
        <p>
          Where an account was blocked for breaking the rules, we keep only what is needed to uphold that block.
          Deletion cannot be undone.
        </p>
      </>
    ),
  },
  {
    id: 'facebook',
    title: 'Remove the app from Facebook',
    body: (
      <>
        <p>This ends the connection on the side of Facebook. It does not replace the request above.</p>
        <ol>
          <li>Open Settings & privacy, then Settings, in your Facebook account.</li>
          <li>Choose Apps and Websites.</li>
          <li>Find {PRODUCT_NAME} and press Remove.</li>
        </ol>
      </>
    ),
  },
  {
    id: 'more',
    title: 'More about your data',
    body: (
      <p>
        All that we keep and why is in our <Link to={PRIVACY.to}>data privacy notice</Link>.
      </p>
    ),
  },
]

export function DataDeletionPage() {
  return (
    <Article
      title="Data deletion"
      lead={`How to have everything deleted that ${PRODUCT_NAME} keeps about you when you sign in with a social account.`}
      sections={sections}
    />
  )
}
