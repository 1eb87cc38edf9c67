import { useTexts } from '../../platform/use-texts.ts'
import { Article } from '../../ui/frame/article.tsx'
import { usePublicFacts } from '../use-public-facts.ts'
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
