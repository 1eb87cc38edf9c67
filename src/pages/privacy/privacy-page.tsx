import { Article } from '../../parts/article.tsx'
import { usePublicFacts } from '../../parts/use-public-facts.ts'
import { useTexts } from '../../parts/use-texts.ts'
import { dataSections } from './data-sections.tsx'
import { rightsSections } from './rights-sections.tsx'

export function PrivacyPage() {
  const t = useTexts()
  const facts = usePublicFacts()
  return (
    <Article
      title={t('frame.privacy')}
      updated="2024-03-01"
      lead={t('privacy.lead')}
      sections={[...dataSections(t, facts), ...rightsSections(t, facts)]}
    />
  )
}
