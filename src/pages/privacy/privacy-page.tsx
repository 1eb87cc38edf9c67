import { Article } from '../../parts/article.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { dataSections } from './data-sections.tsx'
import { rightsSections } from './rights-sections.tsx'

export function PrivacyPage() {
  const t = useTexts()
  return (
    <Article
      title={t('frame.privacy')}
      updated="2024-03-01"
      lead={t('privacy.lead')}
      sections={[...dataSections(t), ...rightsSections(t)]}
    />
  )
}
