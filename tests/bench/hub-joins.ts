import { MatchQueue } from '../../server/matching/rules/match-queue.ts'
import { noWishes, noWishesOfEntry, queueTimes } from '../support/matching/queue-terms.ts'

/** How many wait, and how many join them: a million together. */
const cases = [
  { waiting: 100, joins: 900_000 },
  { waiting: 1_000, joins: 90_000 },
  { waiting: 10_000, joins: 10_000 },
]
const noExclusions = { region: '', ...noWishes, blocked: [], met: [] }

/** Microseconds of a join while so many eligible people wait. They wait because they exclude each other. */
function joinCost({ waiting, joins }: { waiting: number; joins: number }): number {
  const queue = new MatchQueue({ ...queueTimes, random: Math.random })
  const names = Array.from({ length: waiting }, (_, index) => `w${index}`)
  const blocked = new Set(names)
  const wait = (user: string) =>
    queue.restore({ user, region: '', spills: false, ...noWishesOfEntry, since: 0, lot: 0, blocked, met: new Set() }, 0)
  for (const name of names) wait(name)
  // The queue may shrink by a tenth before it is filled up again beside the clock.
  const batch = Math.max(1, waiting / 10)
  let spent = 0
  for (let done = 0; done < joins; done += batch) {
    const start = performance.now()
    const pairs = Array.from({ length: batch }, (_, index) => queue.join(`n${done + index}`, noExclusions, 1))
    spent += performance.now() - start
    for (const [pair] of pairs) {
      const found = pair && [pair.caller.user, pair.callee.user].find((name) => blocked.has(name))
      if (!found) throw new Error('a join found no match')
      wait(found)
    }
  }
  return (spent * 1_000) / joins
}

/** Cost of a join at 100, 1,000 and 10,000 waiting over a million joins; `ratio` is the last against the first. */
export function benchHubJoins(): { ratio: number; costs: { waiting: number; microseconds: number }[] } {
  // Once beside the clock: the first run pays for the compiler.
  joinCost({ waiting: 100, joins: 100_000 })
  const costs = cases.map((one) => ({ waiting: one.waiting, microseconds: joinCost(one) }))
  const [first, , last] = costs
  return { ratio: (last?.microseconds ?? 0) / (first?.microseconds ?? 1), costs }
}
