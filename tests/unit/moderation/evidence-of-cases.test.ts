import { expect, test } from 'vitest'
import { needsEvidence } from '../../../server/moderation/rules/evidence-of-cases.ts'

test('a verdict that suspends keeps the evidence for the appeal', () => {
  expect(needsEvidence('Appeal')).toBe(true)
})

test.each(['Valid', 'Warning', 'Blocked'] as const)('a verdict after which the status is %s deletes it', (status) => {
  expect(needsEvidence(status)).toBe(false)
})
