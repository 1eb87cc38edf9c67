import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MatchQueue } from '../../server/domain/match-queue.ts'
import { checkQueueModel, KEEP, RELAX } from '../support/queue-model.ts'

test('joins, leaves, drops, resumes, blocks and time in any order pair nobody wrongly and strand nobody', async () => {
  await checkQueueModel((random) => new MatchQueue({ random, relaxAfterMs: RELAX, keepMs: KEEP }), 400)
})

test('a newcomer looks at no more people than are excluded, however many are eligible', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 20 }), (crowd, excluded) => {
      let looks = 0
      const counted = (names: string[]) =>
        new (class extends Set<string> {
          override has(name: string): boolean {
            looks += 1
            return super.has(name)
          }
        })(names)
      const queue = new MatchQueue({ random: () => 0, relaxAfterMs: RELAX, keepMs: KEEP })
      const names = Array.from({ length: crowd }, (_, index) => `w${index}`)
      // All who wait exclude each other; the newcomer excludes the first few.
      for (const name of names) queue.join(name, { blocked: names, met: [] }, 0)
      const newcomer = { user: 'new', since: 1, lot: 0, blocked: counted(names.slice(0, excluded)), met: counted([]) }
      const pairs = queue.restore(newcomer, 1)
      expect(pairs).toHaveLength(crowd > excluded ? 1 : 0)
      expect(looks).toBeLessThanOrEqual(2 * Math.min(crowd, excluded + 1))
    }),
    { numRuns: 50 },
  )
})
