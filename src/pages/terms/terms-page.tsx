import { Article } from '../../parts/article.tsx'
import { usePublicFacts } from '../../parts/use-public-facts.ts'
import { useTexts } from '../../parts/use-texts.ts'
import { communitySections } from './community-sections.tsx'
import { serviceSections } from './service-sections.tsx'

export function TermsPage() {
  const t = useTexts()
  const facts = usePublicFacts()
  return (
    <Article
      title={t('frame.terms')}
      updated="2024-03-01"
      lead={t('terms.lead')}
      sections={[...communitySections(t), ...serviceSections(t, facts)]}
    />
  )
}
