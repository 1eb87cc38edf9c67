import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import type { ReportFacts } from '../../server/moderation/rules/ports.ts'
import { createDice } from '../support/dice.ts'
import { farmLines } from './brigades/farms.ts'
import { floodLines } from './brigades/flood.ts'
import { HONEST, honestPeople, NOW, type Person, reportBy } from './brigades/people.ts'
import { nowRule, policy, type RuleOf, type Ruling, ruleBefore } from './brigades/rulings.ts'

const VICTIMS = 200
const OFFENDERS = 200
/** Share of an offender's partners who report. */
const REPORTING_SHARE = 0.15
const PARTNERS_AN_HOUR = 12
/** Mistaken or ill-tempered reports about one honest user within the window. */
const MISTAKES_A_MONTH = 0.3
const brigadeSizes = [4, 10, 25, 50, 100, 200]

/** The same numbers in every run. */
const randomFrom = (seed: number) => createDice(seed).next

type BrigadeKind = { name: string; days: number; keptCalls: number; spread: boolean }
/** `spread`: each account has a network of its own (VPN) and was created in another hour. All send pictures, so that victims confirm. */
const brigadeKinds: readonly BrigadeKind[] = [
  { name: 'new, one network', days: 0.04, keptCalls: 0, spread: false },
  { name: 'new, spread over networks', days: 0.04, keptCalls: 0, spread: true },
  { name: 'a week old, one network', days: 7, keptCalls: 0, spread: false },
  { name: 'a week old, spread over networks', days: 7, keptCalls: 0, spread: true },
  { name: 'a week old with 10 kept calls each, spread', days: 7, keptCalls: 10, spread: true },
  { name: 'two weeks old with 10 kept calls each, spread', days: 14, keptCalls: 10, spread: true },
]

function brigade(size: number, { name, days, keptCalls, spread }: BrigadeKind): Person[] {
  return Array.from({ length: size }, (_, index) => ({
    reporter: `${name} ${index}`,
    provider: 'Google',
    reporterSince: NOW - days * DAY_MS - (spread ? (index % 100) * HOUR_MS : 0),
    keptCalls,
    network: spread ? `vpn ${index}` : 'their network',
    device: 'Chrome desktop Windows',
  }))
}

const shareOf = <T>(all: readonly T[], isOne: (one: T) => boolean) => all.filter(isOne).length / all.length

function shares(rulings: readonly Ruling[]) {
  return {
    warned: shareOf(rulings, ({ status }) => status === 'Warning'),
    suspended: shareOf(rulings, ({ status }) => status === 'Appeal'),
    urgent: shareOf(rulings, ({ urgent }) => urgent),
  }
}
type BrigadeShares = { kind: string; size: number; shares: ReturnType<typeof shares> }

/** Every account of the brigade meets and reports every victim within a day, the worst case. */
function simulateBrigades(): BrigadeShares[] {
  const random = randomFrom(1)
  const honest = honestPeople(random)
  const randomUser = () => honest[Math.floor(random() * HONEST)]
  function mistakes(): ReportFacts[] {
    const reporters = [0, 1, 2].flatMap(() => (random() < MISTAKES_A_MONTH / 3 ? (randomUser() ?? []) : []))
    return reporters.map((reporter) => reportBy(reporter, { at: NOW - random() * 30 * DAY_MS }))
  }
  const before = Array.from({ length: VICTIMS }, mistakes)
  const results: BrigadeShares[] = []
  for (const kind of brigadeKinds)
    for (const size of [0, ...brigadeSizes]) {
      if (size === 0 && kind !== brigadeKinds[0]) continue
      const members = brigade(size, kind)
      const reports = before.map((known, index) => [
        ...known,
        ...members.map((member) => reportBy(member, { at: NOW + index, earlierToday: index % 20 })),
      ])
      const name = size === 0 ? 'none' : kind.name
      results.push({ kind: name, size, shares: shares(reports.map(nowRule)) })
    }
  return results
}

type OffenderTimes = { kind: string; old: Times; now: Times }
/** Number of partners until the event, as median and 90th percentile of the offenders; null when fewer offenders reached it. */
type Times = Record<'console' | 'urgent' | 'warned' | 'suspended', { half: number | null; most: number | null }>

const PARTNERS_MAX = 400

function quantiles(counts: readonly number[]) {
  const sorted = counts.toSorted((one, other) => one - other)
  const at = (share: number) => {
    const count = sorted[Math.floor(share * (sorted.length - 1))] ?? Number.POSITIVE_INFINITY
    return Number.isFinite(count) ? count : null
  }
  return { half: at(0.5), most: at(0.9) }
}

type Offender = { kind: string; hides: Partial<ReportFacts> }

const offenders: readonly Offender[] = [
  { kind: 'confirms calls as every browser does', hides: {} },
  { kind: 'never confirms a call', hides: { reportedSaw: false } },
  { kind: 'reports the first three partners of a day first', hides: { retaliation: true } },
]

/** An offender exposes themself to every partner; a share of them reports, half of those within the first seconds. */
function simulateOffenders(): OffenderTimes[] {
  const honest = honestPeople(randomFrom(1))
  return offenders.map((offender) => {
    const random = randomFrom(2)
    const [old, now] = [ruleBefore, nowRule].map((rule) => {
      const met = { console: [], urgent: [], warned: [], suspended: [] } as Record<keyof Times, number[]>
      for (let one = 0; one < OFFENDERS; one += 1) {
        const first = followOffender(rule, honest, random, offender)
        for (const key of ['console', 'urgent', 'warned', 'suspended'] as const) met[key].push(first[key])
      }
      return {
        console: quantiles(met.console),
        urgent: quantiles(met.urgent),
        warned: quantiles(met.warned),
        suspended: quantiles(met.suspended),
      }
    })
    if (!old || !now) throw new Error('a rule has no result')
    return { kind: offender.kind, old, now }
  })
}

function followOffender(
  rule: RuleOf,
  honest: readonly Person[],
  random: () => number,
  { hides }: Offender,
): Record<keyof Times, number> {
  const never = Number.POSITIVE_INFINITY
  const first = { console: never, urgent: never, warned: never, suspended: never }
  const reports: ReportFacts[] = []
  for (let met = 1; met <= PARTNERS_MAX && first.suspended === never; met += 1) {
    const partner = honest[Math.floor(random() * honest.length)]
    if (!partner || random() >= REPORTING_SHARE) continue
    const at = NOW + (met / PARTNERS_AN_HOUR) * HOUR_MS
    reports.push(reportBy(partner, { at, callMs: random() < 0.5 ? 8_000 : 40_000, ...hides }))
    const { status, urgent } = rule(reports)
    first.console = Math.min(first.console, met)
    if (urgent || status === 'Appeal') first.urgent = Math.min(first.urgent, met)
    if (status !== 'Valid') first.warned = Math.min(first.warned, met)
    if (status === 'Appeal') first.suspended = Math.min(first.suspended, met)
  }
  return first
}

/** Returns the share of honest users whose reports have standing. */
function settledShare(): number {
  const honest = honestPeople(randomFrom(1))
  const { standingDays, standingCalls } = policy
  return shareOf(
    honest,
    ({ reporterSince, keptCalls }) => NOW - reporterSince >= standingDays * DAY_MS && keptCalls >= standingCalls,
  )
}

const percent = (share: number) => `${Math.round(share * 100)} %`

function timeText({ half, most }: Times[keyof Times]): string {
  const text = (partners: number | null) =>
    partners === null ? 'never' : `${partners} (${(partners / PARTNERS_AN_HOUR).toFixed(1)} h)`
  return `${text(half)}, ${text(most)}`
}

/** Yields the lines of the tables of docs/moderation.md, the same in every run. */
export async function* brigadeReport(): AsyncGenerator<string> {
  yield `${HONEST} honest users, ${percent(settledShare())} of them settled; ${VICTIMS} victims`
  yield '| the brigade | accounts | warned | suspended | due within a day |'
  yield '|---|---|---|---|---|'
  for (const { kind, size, shares: found } of simulateBrigades()) {
    const cells = [found.warned, found.suspended, found.urgent].map(percent)
    yield `| ${[kind, size, ...cells].join(' | ')} |`
  }
  yield '| partners (hours) until half and nine of ten offenders are | before | now |'
  yield '|---|---|---|'
  const rows = { console: 'in the console', urgent: 'urgent in the console', warned: 'warned', suspended: 'suspended' }
  for (const { kind, old, now } of simulateOffenders())
    for (const key of ['console', 'urgent', 'warned', 'suspended'] as const)
      yield `| ${[`${rows[key]}; ${kind}`, timeText(old[key]), timeText(now[key])].join(' | ')} |`
  yield* farmLines(randomFrom(3))
  yield* floodLines()
}
