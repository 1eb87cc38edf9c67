import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '../../../../scripts/test-limits.ts'
import { MatchQueue } from '../../../../server/matching/rules/match-queue.ts'
import { checkQueueModel } from '../../../support/matching/queue-model.ts'
import { noWishes, noWishesOfEntry, queueTimes } from '../../../support/matching/queue-terms.ts'

test('joins, leaves, drops, resumes, blocks and time in any order: no wrong pair, and no eligible pair left waiting', async () => {
  await checkQueueModel((options) => new MatchQueue(options), sized(50, 400))
})

test('a join reads no more entries than are excluded, and one a region, however many are eligible', () => {
  const regions = ['', 'eu', 'us', 'asia']
  const numbers = [fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 20 }), fc.nat(3), fc.nat(3)] as const
  fc.assert(
    fc.property(...numbers, fc.boolean(), (crowd, excluded, home, spread, spills) => {
      let looks = 0
      const counted = (names: string[]) =>
        new (class extends Set<string> {
          override has(name: string): boolean {
            looks += 1
            return super.has(name)
          }
        })(names)
      const queue = new MatchQueue({ ...queueTimes, random: () => 0 })
      const names = Array.from({ length: crowd }, (_, index) => `w${index}`)
      // All waiting users exclude each other; the newcomer excludes the first few.
      for (const [index, name] of names.entries())
        queue.join(name, { region: regions[index % (spread + 1)] ?? '', ...noWishes, blocked: names, met: [] }, 0)
      const newcomer = { user: 'new', region: regions[home] ?? '', spills, ...noWishesOfEntry, since: 1, lot: 0 }
      const exclusions = { blocked: counted(names.slice(0, excluded)), met: counted([]) }
      const pairs = queue.restore({ ...newcomer, ...exclusions }, 1)
      if (spills || spread + home === 0) expect(pairs).toHaveLength(crowd > excluded ? 1 : 0)
      // Blocked and met, in the list of the region and in that of spilling entries.
      expect(looks).toBeLessThanOrEqual(2 * 2 * Math.min(crowd, excluded + regions.length))
    }),
    { numRuns: sized(30, 100) },
  )
})
