import { useTexts } from '../../platform/use-texts.ts'
import { useOperator } from './use-operator.ts'

/** The address to write to inside a sentence; a prerendered page has only words for it. */
export function ContactLink() {
  const operator = useOperator()
  const t = useTexts()
  if (!operator) return t('frame.contact-address')
  return operator.contactEmail !== null && <a href={`mailto:${operator.contactEmail}`}>{operator.contactEmail}</a>
}
