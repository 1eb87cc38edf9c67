import { Link } from 'react-router-dom'
import { PRIVACY, REPORT_CONTENT, TERMS, TRANSPARENCY } from '../links.ts'
import { Rich, type Tags } from '../rich.tsx'
import { ContactLink } from './contact-link.tsx'

const tags: Tags = {
  terms: (words) => <Link to={TERMS.to}>{words}</Link>,
  privacy: (words) => <Link to={PRIVACY.to}>{words}</Link>,
  report: (words) => <Link to={REPORT_CONTENT.to}>{words}</Link>,
  transparency: (words) => <Link to={TRANSPARENCY.to}>{words}</Link>,
  page: (words) => <Link to="/fb-data-deletion">{words}</Link>,
  contact: () => <ContactLink />,
}

/** A sentence of the public pages, with links to other pages and to the operator's address. */
export function Linked({ text }: { text: string }) {
  return <Rich text={text} tags={tags} />
}
