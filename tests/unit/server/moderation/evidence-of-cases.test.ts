import { expect, test, vi } from 'vitest'
import type { BlockStatus } from '#protocol/block-status.ts'
import { withEvidence } from '../../../../server/moderation/rules/evidence.ts'
import type { Moderation } from '../../../../server/moderation/rules/moderation.ts'

/** Returns how often the evidence about the account is deleted by a decision after which its status is `status`. */
async function deletionsAfter(status: BlockStatus): Promise<number> {
  const deleteFor = vi.fn(async () => {})
  const decide: Moderation['decide'] = async () => status
  const moderation = withEvidence({ decide } as unknown as Moderation, {
    evidence: { linkReport: async () => {} },
    records: { deleteFor },
    runInBackground: () => {},
  })
  await moderation.decide('ada', {} as Parameters<Moderation['decide']>[1])
  return deleteFor.mock.calls.length
}

test('a verdict that suspends keeps the evidence for the appeal', async () => {
  expect(await deletionsAfter('Appeal')).toBe(0)
})

test.each(['Valid', 'Warning', 'Blocked'] as const)(
  'a verdict after which the status is %s deletes it',
  async (status) => {
    expect(await deletionsAfter(status)).toBe(1)
  },
)
