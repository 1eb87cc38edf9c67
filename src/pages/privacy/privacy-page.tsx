import { Article } from '../../parts/article.tsx'
import { dataSections } from './data-sections.tsx'
import { rightsSections } from './rights-sections.tsx'

export function PrivacyPage() {
  return (
    <Article
      title="Data Privacy"
      updated="March 1, 2024"
      lead="Conversations are not recorded and chats are never stored. This notice says what little we do keep, why, and how you have it deleted."
      sections={[...dataSections, ...rightsSections]}
    />
  )
}
