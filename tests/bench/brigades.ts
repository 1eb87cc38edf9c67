import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { readConfig } from '../../server/config/config.ts'
import { judge } from '../../server/moderation/rules/judgement.ts'
import type { ReportFacts } from '../../server/moderation/rules/ports.ts'
import { accuracyWeight, urgentSince } from '../../server/moderation/rules/report-weight.ts'

const NOW = 1_000 * DAY_MS
const HONEST = 10_000
const VICTIMS = 200
const OFFENDERS = 200
/** Share of an offender's partners who report. */
const REPORTING_SHARE = 0.15
const PARTNERS_AN_HOUR = 12
/** Mistaken or ill-tempered reports about one honest user within the window. */
const MISTAKES_A_MONTH = 0.3
const brigadeSizes = [4, 10, 25, 50, 100, 200]

const { moderation: policy } = readConfig({})

/** A seeded random generator (mulberry32): the same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Person = Pick<ReportFacts, 'reporter' | 'provider' | 'reporterSince' | 'keptCalls' | 'network' | 'device'>

const kindsOfDevice = [
  'Chrome desktop Windows',
  'Chrome mobile Android',
  'Safari mobile iOS',
  'Firefox desktop Windows',
]

/** Users of an established site: one account in seven is less than a week old, half of the others call a few times a month. */
function honestPeople(random: () => number): Person[] {
  return Array.from({ length: HONEST }, (_, index) => {
    const days = random() < 1 / 7 ? random() * 7 : 7 + random() * 250
    const callsADay = ([0.1, 0.1, 0.5, 2] as const)[Math.floor(random() * 4)] ?? 0.1
    return {
      reporter: `honest ${index}`,
      provider: random() < 0.7 ? 'Google' : 'Facebook',
      reporterSince: NOW - days * DAY_MS,
      keptCalls: Math.floor(Math.min(30, days) * callsADay * (0.5 + random())),
      network: `network ${Math.floor(random() * 4_000)}`,
      device: kindsOfDevice[Math.floor(random() * kindsOfDevice.length)] ?? null,
    }
  })
}

function reportBy(person: Person, given: Partial<ReportFacts>): ReportFacts {
  const facts = {
    reason: null,
    callMs: 60_000,
    reporterSaw: true,
    reportedSaw: true,
    retaliation: false,
    upheld: 0,
    dismissed: 0,
  }
  return { ...facts, earlierToday: 0, at: NOW, ...person, ...given }
}

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

type Ruling = { status: 'Valid' | 'Warning' | 'Appeal'; urgent: boolean }

/** The rule before standing: every distinct reporter with a call counts, weighted by accuracy and the first seconds only. */
function oldRule(reports: readonly ReportFacts[]): Ruling {
  const weights = new Map<string, number>()
  for (const report of reports) {
    if (report.callMs === null || report.retaliation) continue
    const weight = accuracyWeight(report) * (report.callMs <= 15_000 ? 1.25 : 1)
    weights.set(report.reporter, Math.max(weights.get(report.reporter) ?? 0, weight))
  }
  const weight = [...weights.values()].reduce((sum, one) => sum + one, 0)
  const { reportsToSuspend, reportsToWarn } = policy
  return {
    status: weight >= reportsToSuspend ? 'Appeal' : weight >= reportsToWarn ? 'Warning' : 'Valid',
    urgent: false,
  }
}

function newRule(reports: readonly ReportFacts[]): Ruling {
  const to = judge('Valid', { reports, findings: 0, risk: 0 }, policy)?.to
  const status = to === 'Appeal' || to === 'Warning' ? to : 'Valid'
  return { status, urgent: status !== 'Appeal' && urgentSince(reports, policy.reportsToSuspend) !== null }
}

const shareOf = <T>(all: readonly T[], isOne: (one: T) => boolean) => all.filter(isOne).length / all.length

function shares(rulings: readonly Ruling[]) {
  return {
    warned: shareOf(rulings, ({ status }) => status === 'Warning'),
    suspended: shareOf(rulings, ({ status }) => status === 'Appeal'),
    urgent: shareOf(rulings, ({ urgent }) => urgent),
  }
}
type BrigadeShares = { kind: string; size: number; old: ReturnType<typeof shares>; now: ReturnType<typeof shares> }

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
      results.push({ kind: name, size, old: shares(reports.map(oldRule)), now: shares(reports.map(newRule)) })
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

/** An offender exposes themself to every partner; a share of them reports, half of those within the first seconds. */
function simulateOffenders(): OffenderTimes[] {
  const honest = honestPeople(randomFrom(1))
  return [
    { kind: 'confirms calls as every browser does', reportedSaw: true },
    { kind: 'never confirms a call', reportedSaw: false },
  ].map(({ kind, reportedSaw }) => {
    const random = randomFrom(2)
    const [old, now] = [oldRule, newRule].map((rule) => {
      const met = { console: [], urgent: [], warned: [], suspended: [] } as Record<keyof Times, number[]>
      for (let offender = 0; offender < OFFENDERS; offender += 1) {
        const first = followOffender(rule, honest, random, reportedSaw)
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
    return { kind, old, now }
  })
}

function followOffender(
  rule: (reports: readonly ReportFacts[]) => Ruling,
  honest: readonly Person[],
  random: () => number,
  reportedSaw: boolean,
): Record<keyof Times, number> {
  const never = Number.POSITIVE_INFINITY
  const first = { console: never, urgent: never, warned: never, suspended: never }
  const reports: ReportFacts[] = []
  for (let met = 1; met <= PARTNERS_MAX && first.suspended === never; met += 1) {
    const partner = honest[Math.floor(random() * honest.length)]
    if (!partner || random() >= REPORTING_SHARE) continue
    const at = NOW + (met / PARTNERS_AN_HOUR) * HOUR_MS
    reports.push(reportBy(partner, { at, reportedSaw, callMs: random() < 0.5 ? 8_000 : 40_000 }))
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

/** Yields the lines of the two tables of docs/moderation.md, the same in every run. */
export function* brigadeReport(): Generator<string> {
  yield `${HONEST} honest users, ${percent(settledShare())} of them settled; ${VICTIMS} victims`
  yield '| the brigade | accounts | before: warned | suspended | now: warned | suspended | due within a day |'
  yield '|---|---|---|---|---|---|---|'
  for (const { kind, size, old, now } of simulateBrigades()) {
    const cells = [old.warned, old.suspended, now.warned, now.suspended, now.urgent].map(percent)
    yield `| ${[kind, size, ...cells].join(' | ')} |`
  }
  yield '| partners (hours) until half and nine of ten offenders are | before | now |'
  yield '|---|---|---|'
  const rows = { console: 'in the console', urgent: 'urgent in the console', warned: 'warned', suspended: 'suspended' }
  for (const { kind, old, now } of simulateOffenders())
    for (const key of ['console', 'urgent', 'warned', 'suspended'] as const)
      yield `| ${[`${rows[key]}; ${kind}`, key === 'urgent' ? '' : timeText(old[key]), timeText(now[key])].join(' | ')} |`
}
