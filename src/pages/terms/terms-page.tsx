import { Article } from '../../parts/article.tsx'
import { communitySections } from './community-sections.tsx'
import { serviceSections } from './service-sections.tsx'

export function TermsPage() {
  return (
    <Article
      title="Terms & Conditions"
      updated="March 1, 2024"
      lead="These are the rules you agree to by registering. They are short on purpose: please read all of them."
      sections={[...communitySections, ...serviceSections]}
    />
  )
}
