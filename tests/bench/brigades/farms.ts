import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { outsideCalls } from '../../../server/moderation/rules/outside-calls.ts'
import type { ReportFacts } from '../../../server/moderation/rules/ports.ts'
import { callTown, mix, ring } from '../../support/moderation/call-town.ts'
import { NOW, reportBy } from './people.ts'
import { nowRule, type RuleOf, ruleBefore } from './rulings.ts'

const farmSizes = [2, 4, 11, 25, 50, 100, 200]
const farmAges = [0, 7, 14, 30, 60]
/** Days for which a farm reports; moderators find all of it wrong a day later. */
const DAYS = 10
/** Honest people of the town, each with kept calls with about 20 others. */
const TOWN = 1_000
/** A farm calls itself: each account its nearest in a ring, or all others where it is small. */
const HALF_RING = 6

type FarmKind = {
  name: string
  /** The number of kept calls of each account with honest people, one for each of them. */
  strangers: number
  isSpread: boolean
  /** Accounts of the same person that let all others report them, and are blocked for it. */
  decoys: (size: number) => number
}

const farmKinds: readonly FarmKind[] = [
  { name: 'call each other at one address', strangers: 0, isSpread: false, decoys: () => 0 },
  { name: 'call each other, spread over networks and hours', strangers: 0, isSpread: true, decoys: () => 0 },
  { name: 'the same, and 3 strangers each', strangers: 3, isSpread: true, decoys: () => 0 },
  { name: 'the same, and 10 strangers each', strangers: 10, isSpread: true, decoys: () => 0 },
  { name: 'the same at one address', strangers: 10, isSpread: false, decoys: () => 0 },
  { name: '3 decoys that all have reported', strangers: 0, isSpread: true, decoys: () => 3 },
  { name: '3 decoys for each account', strangers: 0, isSpread: true, decoys: (size) => 3 * size },
]

type Standing = { before: Pick<ReportFacts, 'keptCalls' | 'credit'>; now: Pick<ReportFacts, 'keptCalls' | 'credit'> }

/** Resolves with what an account of the farm counted before and what it counts now: the best of a few of its accounts. */
async function standingOf(size: number, kind: FarmKind, random: () => number): Promise<Standing> {
  const town = callTown()
  const all = town.add('honest', TOWN)
  mix(town, all, all, 10, random)
  const farm = town.add('farm', size, () => (kind.isSpread ? {} : { networks: ['their network'] }))
  ring(town, farm, HALF_RING)
  mix(town, farm, all, kind.strangers, random)
  let [before, now] = [0, 0]
  for (const account of farm.slice(0, 12)) {
    before = Math.max(before, town.partnersOf(account))
    now = Math.max(now, await outsideCalls(account, town.calls))
  }
  const decoys = kind.decoys(size)
  return {
    before: { keptCalls: before, credit: decoys === 0 ? 0 : 3 },
    // Each decoy's credit is shared by those who reported it.
    now: { keptCalls: now, credit: decoys / size },
  }
}

/** Smallest number of such reports that suspend, or null when no number up to `most` does. */
function neededToSuspend(reportOf: (index: number) => ReportFacts, rule: RuleOf, most: number): number | null {
  const suspends = (count: number) =>
    rule(Array.from({ length: count }, (_, index) => reportOf(index))).status === 'Appeal'
  if (!suspends(most)) return null
  // Another report never lowers the weight.
  let [few, enough] = [0, most]
  while (enough - few > 1) {
    const count = Math.floor((few + enough) / 2)
    if (suspends(count)) enough = count
    else few = count
  }
  return enough
}

/**
 * Returns how many people a farm keeps from matching in `DAYS` days. Each day each account reports one as a possible minor, and four
 * together with as few others as suspend.
 */
function takenBy(
  size: number,
  { isSpread }: FarmKind,
  days: number,
  counted: Pick<ReportFacts, 'keptCalls' | 'credit'>,
  rule: RuleOf,
): number {
  const account = (index: number) => ({
    reporter: `farm ${index}`,
    provider: 'Google' as const,
    reporterSince: NOW - days * DAY_MS - (isSpread ? index * HOUR_MS : 0),
    network: isSpread ? `vpn ${index}` : 'their network',
    device: 'Chrome desktop Windows',
    ...counted,
  })
  let taken = 0
  for (let day = 0; day < DAYS; day += 1) {
    // The accounts grow older, and what they reported on the days before was dismissed.
    const known = { at: NOW + day * DAY_MS, dismissed: day * 5, minorsWrong: day }
    for (let index = 0; index < size; index += 1) {
      const alone = { ...known, reason: 'under-18' as const, minorsOfNetwork: isSpread ? 0 : index }
      if (rule([reportBy(account(index), alone)]).status === 'Appeal') taken += 1
    }
    for (let earlierToday = 1; earlierToday < 5; earlierToday += 1) {
      const needed = neededToSuspend((index) => reportBy(account(index), { ...known, earlierToday }), rule, size)
      if (needed !== null) taken += Math.floor(size / needed)
    }
  }
  return taken
}

type FarmRow = { kind: string; days: number; before: number[]; now: number[] }

async function farmCurves(random: () => number): Promise<FarmRow[]> {
  const rows: FarmRow[] = []
  for (const kind of farmKinds) {
    const standings: Standing[] = []
    for (const size of farmSizes) standings.push(await standingOf(size, kind, random))
    for (const days of farmAges) {
      const taken = (rule: RuleOf, which: keyof Standing) =>
        farmSizes.map((size, index) => {
          const counted = standings[index]?.[which]
          return counted ? takenBy(size, kind, days, counted, rule) : 0
        })
      const row = { kind: kind.name, days, before: taken(ruleBefore, 'before'), now: taken(nowRule, 'now') }
      rows.push(row)
    }
  }
  return rows
}

/** Lines of the table: how many people farms of each size and age keep from matching in ten days, before and now. */
export async function* farmLines(random: () => number): AsyncGenerator<string> {
  yield `| accounts that | days old | ${farmSizes.join(' | ')} |`
  yield `|---|---|${farmSizes.map(() => '---').join('|')}|`
  for (const { kind, days, before, now } of await farmCurves(random))
    yield `| ${[kind, days, ...farmSizes.map((_, index) => `${before[index]} / ${now[index]}`)].join(' | ')} |`
}
