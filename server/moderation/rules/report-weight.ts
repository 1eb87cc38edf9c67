import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import type { ModerationPolicy } from './policy.ts'
import type { ReportFacts } from './ports.ts'

/** What an operator may set of it. */
export type StandingTerms = Pick<ModerationPolicy, 'standingDays' | 'standingCalls'>

/** Right and wrong reports that an unknown reporter starts with. */
const ASSUMED = 2
const ACCURACY_FLOOR = 0.25
const ACCURACY_CEILING = 1.5

/** Share of its weight that the report of a new account has. */
export const NEWCOMER_SHARE = 0.25
/** Upheld reports that earn as much as age and calls do. */
const UPHELD_FOR_STANDING = 3
/** Below this accuracy a reporter has no standing: two dismissed reports and none upheld. */
const STANDING_ACCURACY = 0.75
/** With so many other reports in the 24 hours before, a report is not one of a reporter with standing. */
const STANDING_REPORTS_A_DAY = 5

/**
 * So many reports of one person within 24 hours disarm the people they name: a report in return counts nothing. Somebody who offends and
 * reports each time first would have no report against them otherwise.
 */
export const DISARMING_REPORTS_A_DAY = 3

/** Exhibitionists expose themselves at once, so a report within this time weighs more, not less. */
const FIRST_SECONDS_MS = 15_000
const FIRST_SECONDS_WEIGHT = 1.25

/** A single reporter never weighs as much as two settled ones. */
export const MOST_OF_ONE_REPORTER = ACCURACY_CEILING * FIRST_SECONDS_WEIGHT

/** Reporters of one network, or one batch of accounts, weigh together at most so many times what the heaviest weighs. */
export const SHARED_TRACE_FACTOR = 1.5
/** The same where they share the kind of device too. */
export const SAME_DEVICE_FACTOR = 1.1
/** Accounts of one provider that were created within one of these spans are one batch. */
const BATCH_MS = HOUR_MS

/** 1 without a record; upheld reports raise it, dismissed ones lower it. */
export function accuracyWeight({ upheld, dismissed }: Pick<ReportFacts, 'upheld' | 'dismissed'>): number {
  const share = (upheld + ASSUMED) / (upheld + dismissed + 2 * ASSUMED)
  return Math.min(ACCURACY_CEILING, Math.max(ACCURACY_FLOOR, 2 * share))
}

const shareOf = (value: number, wanted: number) => (wanted <= 0 ? 1 : Math.min(1, Math.max(0, value) / wanted))

/** From 0 to 1: how far the reporter had come at the time of the report. Age and kept calls both count, or upheld reports. */
function progress(report: ReportFacts, terms: StandingTerms): number {
  const age = shareOf(report.at - report.reporterSince, terms.standingDays * DAY_MS)
  const calls = shareOf(report.keptCalls, terms.standingCalls)
  return Math.max(age * calls, shareOf(report.upheld, UPHELD_FOR_STANDING))
}

function bothSaw({ reporterSaw, reportedSaw }: ReportFacts): boolean {
  return reporterSaw && reportedSaw
}

/** Without a call nothing was seen, and an answer to a report is no report. */
function counts({ callMs, retaliation }: ReportFacts): boolean {
  return callMs !== null && !retaliation
}

/** Whether a suspension may rest on this report. */
export function hasStanding(report: ReportFacts, terms: StandingTerms): boolean {
  return (
    counts(report) &&
    progress(report, terms) >= 1 &&
    accuracyWeight(report) >= STANDING_ACCURACY &&
    report.earlierToday < STANDING_REPORTS_A_DAY
  )
}

/** What the report would weigh if everybody had standing and reported once a day. */
function plainWeight(report: ReportFacts): number {
  if (!counts(report) || report.callMs === null) return 0
  return accuracyWeight(report) * (report.callMs <= FIRST_SECONDS_MS ? FIRST_SECONDS_WEIGHT : 1)
}

/** What one report weighs: by what its reporter has earned, and less with each report of the 24 hours before it. */
export function reportWeight(report: ReportFacts, terms: StandingTerms): number {
  const earned = NEWCOMER_SHARE + (1 - NEWCOMER_SHARE) * progress(report, terms)
  return (plainWeight(report) * earned) / (1 + report.earlierToday / 2)
}

type Voice = { weight: number; network: string | null; device: string | null; batch: string }

/** One voice for each reporter: their weightiest report alone. */
function voicesOf(reports: readonly ReportFacts[], terms: StandingTerms): Voice[] {
  const voices = new Map<string, Voice>()
  for (const report of reports) {
    const weight = Math.max(voices.get(report.reporter)?.weight ?? 0, reportWeight(report, terms))
    const { network, device, provider, reporterSince } = report
    const batch = `${provider} ${Math.floor(reporterSince / BATCH_MS)}`
    voices.set(report.reporter, { weight, network, device, batch })
  }
  return [...voices.values()]
}

const sum = (weights: readonly number[]) => weights.reduce((total, weight) => total + weight, 0)

function grouped(voices: readonly Voice[], keyOf: (voice: Voice) => string | null): Voice[][] {
  // A voice with an unknown trace is a group of its own.
  return [...Map.groupBy(voices, (voice) => keyOf(voice) ?? voice).values()]
}

/** Monotone: another voice, or a heavier one, never lowers the result. */
function capped(voices: readonly Voice[], keyOf: (voice: Voice) => string | null): number {
  const atMost = (total: number, group: readonly Voice[], factor: number) =>
    Math.min(total, factor * Math.max(...group.map(({ weight }) => weight)))
  const groups = grouped(voices, keyOf).map((group) => {
    const byDevice = grouped(group, ({ device }) => device).map((same) =>
      atMost(sum(same.map(({ weight }) => weight)), same, SAME_DEVICE_FACTOR),
    )
    return atMost(sum(byDevice), group, SHARED_TRACE_FACTOR)
  })
  return sum(groups)
}

/** What the reports weigh together, as far as their reporters are independent of each other. */
export function weightOfReports(reports: readonly ReportFacts[], terms: StandingTerms): number {
  const voices = voicesOf(reports, terms)
  return Math.min(
    capped(voices, ({ network }) => network),
    capped(voices, ({ batch }) => batch),
  )
}

export type CaseWeight = {
  /** Of all reports of a call: for the place in the moderators' queue. */
  all: number
  /** Of those that count towards a warning: both sides saw each other, or the reporter has standing. */
  warn: number
  /** Of those that count towards a suspension: both sides saw each other. */
  suspend: number
  /** Of the latter, those of reporters with standing alone. */
  standing: number
}

/** A side that refuses to confirm the call can so escape a suspension by reports, but neither moderators nor a warning. */
export function weighCase(reports: readonly ReportFacts[], terms: StandingTerms): CaseWeight {
  const confirmed = reports.filter(bothSaw)
  return {
    all: weightOfReports(reports, terms),
    warn: weightOfReports(
      reports.filter((report) => bothSaw(report) || hasStanding(report, terms)),
      terms,
    ),
    suspend: weightOfReports(confirmed, terms),
    standing: weightOfReports(
      confirmed.filter((report) => hasStanding(report, terms)),
      terms,
    ),
  }
}

/**
 * When so many had reported that they would suspend if all of them had standing, whatever they have earned; null before that.
 * From then on moderators look first.
 */
export function urgentSince(reports: readonly ReportFacts[], reportsToSuspend: number): number | null {
  const heaviest = new Map<string, number>()
  let total = 0
  for (const report of [...reports].sort((one, other) => one.at - other.at)) {
    const before = heaviest.get(report.reporter) ?? 0
    const weight = Math.max(before, plainWeight(report))
    heaviest.set(report.reporter, weight)
    total += weight - before
    if (total >= reportsToSuspend) return report.at
  }
  return null
}
