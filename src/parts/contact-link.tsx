import { useOperator } from './use-operator.ts'

export function ContactLink() {
  const operator = useOperator()
  return operator && <a href={`mailto:${operator.contactEmail}`}>{operator.contactEmail}</a>
}
