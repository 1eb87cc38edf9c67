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

const tags: Tags = {
  terms: (words) => <Link to={TERMS.to}>{words}</Link>,
  privacy: (words) => <Link to={PRIVACY.to}>{words}</Link>,
  report: (words) => <Link to={REPORT_CONTENT.to}>{words}</Link>,
  transparency: (words) => <Link to={TRANSPARENCY.to}>{words}</Link>,
  page: (words) => <Link to="/fb-data-deletion">{words}</Link>,
  contact: () => <ContactLink />,
}

/** A sentence of the static pages with its links to other pages and to the operator. */
export function Linked({ text }: { text: string }) {
  return <Rich text={text} tags={tags} />
}
