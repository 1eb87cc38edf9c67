import { useTexts } from '../../platform/use-texts.ts'
import { useOperator } from './use-operator.ts'

/** The contact address within a sentence. A prerendered page has only words instead of it. */
export function ContactLink() {
  const operator = useOperator()
  const t = useTexts()
  if (!operator) return t('frame.contact-address')
  return operator.contactEmail !== null && <a href={`mailto:${operator.contactEmail}`}>{operator.contactEmail}</a>
}
