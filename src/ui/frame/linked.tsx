import { Link } from 'react-router-dom'
import { useTexts } from '../../platform/use-texts.ts'
import { PRIVACY, REPORT_CONTENT, TERMS, TRANSPARENCY } from '../links.ts'
import { Rich, type Tags } from '../rich.tsx'
import { useOperator } from './use-operator.ts'

/** The operator's e-mail address inside a sentence; a prerendered page has words in its place. */
export function ContactLink() {
  const operator = useOperator()
  const t = useTexts()
  if (!operator) return t('frame.contact-address')
  return operator.contactEmail !== null && <a href={`mailto:${operator.contactEmail}`}>{operator.contactEmail}</a>
}

function tagsFor(target: '_blank' | undefined): Tags {
  const linkTo = (to: string) => (words: string) => (
    <Link to={to} target={target}>
      {words}
    </Link>
  )
  return {
    terms: linkTo(TERMS.to),
    privacy: linkTo(PRIVACY.to),
    report: linkTo(REPORT_CONTENT.to),
    transparency: linkTo(TRANSPARENCY.to),
    page: linkTo('/fb-data-deletion'),
    contact: () => <ContactLink />,
  }
}

/** A sentence with its links to public pages and to the operator. A new tab keeps what a form holds. */
export function Linked({ text, newTab = false }: { text: string; newTab?: boolean }) {
  return <Rich text={text} tags={tagsFor(newTab ? '_blank' : undefined)} />
}
