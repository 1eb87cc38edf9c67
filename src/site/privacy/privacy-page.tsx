import { useTexts } from '../../platform/use-texts.ts'
import { Article } from '../../ui/frame/article.tsx'
import { usePublicFacts } from '../use-public-facts.ts'
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
