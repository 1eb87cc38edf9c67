import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import type { Provider } from '#protocol/fields.ts'
import type { ModerationPolicy } from './policy.ts'
import type { ReporterRecord, ReportFacts } from './ports.ts'

export type StandingTerms = Pick<ModerationPolicy, 'standingDays' | 'standingCalls'>

/** Number of upheld reports, and of dismissed reports, that is added to those of each reporter. */
const ASSUMED = 2
const ACCURACY_FLOOR = 0.25
const ACCURACY_CEILING = 1.5

/** Share of the full weight that a report of a new account has. */
export const NEWCOMER_SHARE = 0.25
/** Credit for upheld reports that gives standing without age and calls. */
const CREDIT_FOR_STANDING = 3
/** Below this accuracy a reporter has no standing; two dismissed reports and none upheld are below it. */
const STANDING_ACCURACY = 0.75
/** A report has no standing if its reporter made at least this many other reports in the 24 hours before. */
const STANDING_REPORTS_A_DAY = 5
/** Of a reporter's reports within 24 hours, only the first ones, as many as this, can each pause a user alone. */
const PAUSING_REPORTS_A_DAY = 1
/** Most users that all reporters of one network can pause within 24 hours. */
const PAUSES_A_NETWORK_A_DAY = 2

/**
 * Of a user's reports within 24 hours, only the first ones, as many as this, make an answering report of the reported user a report in
 * return, which pauses nobody. Without this limit, a minor who reports each peer first could never be paused.
 */
export const DISARMING_REPORTS_A_DAY = 3

/** Time from the relayed answer within which a browser confirms the picture, even over a slow link and a relay. */
const SILENT_AFTER_MS = 5_000

/** A report within this time from the start of the call weighs more, since offenders expose themselves at once. */
const FIRST_SECONDS_MS = 15_000
const FIRST_SECONDS_WEIGHT = 1.25

/** Greatest weight of one reporter; less than that of two settled reporters. */
export const MOST_OF_ONE_REPORTER = ACCURACY_CEILING * FIRST_SECONDS_WEIGHT

/** Reporters of one network, or of one batch of accounts, together weigh at most this many times as much as the heaviest of them. */
export const SHARED_TRACE_FACTOR = 1.5
/** The same factor for reporters who share the kind of device too. */
export const SAME_DEVICE_FACTOR = 1.1
/** Accounts of one provider that were created within the same span of this length are one batch. */
export const BATCH_MS = HOUR_MS

export function batchOf(provider: Provider, createdAt: number): string {
  return `${provider} ${Math.floor(createdAt / BATCH_MS)}`
}

/** Returns the accuracy of a reporter, which is 1 without a record; credit for upheld reports raises it, dismissed reports lower it. */
export function accuracyWeight({ credit, dismissed }: Pick<ReportFacts, 'credit' | 'dismissed'>): number {
  const share = (credit + ASSUMED) / (credit + dismissed + 2 * ASSUMED)
  return Math.min(ACCURACY_CEILING, Math.max(ACCURACY_FLOOR, 2 * share))
}

const shareOf = (value: number, wanted: number) => (wanted <= 0 ? 1 : Math.min(1, Math.max(0, value) / wanted))

type Earned = Pick<ReportFacts, 'at' | 'reporterSince' | 'keptCalls' | 'credit'>

/** Returns how far the reporter is settled at the time of the report, 0 to 1: by age and kept calls, or by upheld reports. */
function progress(report: Earned, terms: StandingTerms): number {
  const age = shareOf(report.at - report.reporterSince, terms.standingDays * DAY_MS)
  const calls = shareOf(report.keptCalls, terms.standingCalls)
  return Math.max(age * calls, shareOf(report.credit, CREDIT_FOR_STANDING))
}

/**
 * True for a call that more than the reporter's word confirms. Either the reported side confirmed the call, or it
 * stayed silent for longer than a browser needs after the answer was relayed, and the reporter saw its picture. The
 * silence of the reported side does not count if the reporter saw nothing.
 */
function isConfirmed({ callMs, reporterSaw, reportedSaw }: ReportFacts): boolean {
  return reportedSaw || (reporterSaw && callMs !== null && callMs >= SILENT_AFTER_MS)
}

/** False for a report without a call, and for an `outweighed` report. */
function counts({ callMs, outweighed }: ReportFacts): boolean {
  return callMs !== null && !outweighed
}

/** False for a reporter whose accuracy is low, or who has made many other reports within 24 hours. */
export function isCredible(record: ReporterRecord): boolean {
  return accuracyWeight(record) >= STANDING_ACCURACY && record.earlierToday < STANDING_REPORTS_A_DAY
}

/** True for a reporter whose reports may pause or suspend. */
export function isSettled(reporter: Earned & ReporterRecord, terms: StandingTerms): boolean {
  return progress(reporter, terms) >= 1 && isCredible(reporter)
}

/** True for a report on which a suspension may rest. */
export function hasStanding(report: ReportFacts, terms: StandingTerms): boolean {
  return counts(report) && isSettled(report, terms)
}

/**
 * True for a report that alone keeps the reported user from matching until a moderator has decided. A reporter can make
 * one such report before it is decided, and none after a dismissed one: so each pause costs an abuser an account.
 */
export function pausesMatching(report: ReportFacts, terms: StandingTerms): boolean {
  const { reason, reporterSaw, retaliation, earlierToday, minorsWrong, minorsWaiting, minorsOfNetwork } = report
  return (
    reason === 'under-18' &&
    reporterSaw &&
    isConfirmed(report) &&
    !retaliation &&
    hasStanding(report, terms) &&
    earlierToday < PAUSING_REPORTS_A_DAY &&
    minorsWrong + minorsWaiting === 0 &&
    minorsOfNetwork < PAUSES_A_NETWORK_A_DAY
  )
}

/** Returns the weight that the report would have with a settled reporter and as the only report of the day. */
function fullWeight(report: ReportFacts): number {
  if (!counts(report) || report.callMs === null) return 0
  return accuracyWeight(report) * (report.callMs <= FIRST_SECONDS_MS ? FIRST_SECONDS_WEIGHT : 1)
}

/** Returns the weight of one report. It grows with the reporter's progress, and falls with each other report of the 24 hours before. */
export function reportWeight(report: ReportFacts, terms: StandingTerms): number {
  const earned = NEWCOMER_SHARE + (1 - NEWCOMER_SHARE) * progress(report, terms)
  return (fullWeight(report) * earned) / (1 + report.earlierToday / 2)
}

type ReporterWeight = { weight: number; network: string | null; device: string | null; batch: string }

/** Returns one entry for each reporter, with the weight of the reporter's heaviest report. */
function reporterWeights(reports: readonly ReportFacts[], terms: StandingTerms): ReporterWeight[] {
  const reporters = new Map<string, ReporterWeight>()
  for (const report of reports) {
    const weight = Math.max(reporters.get(report.reporter)?.weight ?? 0, reportWeight(report, terms))
    const { network, device, provider, reporterSince } = report
    reporters.set(report.reporter, { weight, network, device, batch: batchOf(provider, reporterSince) })
  }
  return [...reporters.values()]
}

const sum = (weights: readonly number[]) => weights.reduce((total, weight) => total + weight, 0)

function grouped(
  reporters: readonly ReporterWeight[],
  keyOf: (reporter: ReporterWeight) => string | null,
): ReporterWeight[][] {
  // A reporter whose key is unknown is a group alone.
  return [...Map.groupBy(reporters, (reporter) => keyOf(reporter) ?? reporter).values()]
}

/** Sums the weights; each group counts at most a multiple of its heaviest. An additional or heavier reporter never lowers the result. */
function capped(reporters: readonly ReporterWeight[], keyOf: (reporter: ReporterWeight) => string | null): number {
  const atMost = (total: number, group: readonly ReporterWeight[], factor: number) =>
    Math.min(total, factor * Math.max(...group.map(({ weight }) => weight)))
  const groups = grouped(reporters, keyOf).map((group) => {
    const byDevice = grouped(group, ({ device }) => device).map((same) =>
      atMost(sum(same.map(({ weight }) => weight)), same, SAME_DEVICE_FACTOR),
    )
    return atMost(sum(byDevice), group, SHARED_TRACE_FACTOR)
  })
  return sum(groups)
}

/** Returns the weight of all reports together. Reporters who share a network or a batch count for less. */
export function weightOfReports(reports: readonly ReportFacts[], terms: StandingTerms): number {
  const reporters = reporterWeights(reports, terms)
  return Math.min(
    capped(reporters, ({ network }) => network),
    capped(reporters, ({ batch }) => batch),
  )
}

type CaseWeight = {
  /** Weight of the reports that count towards a warning: the call is confirmed, or the reporter has standing. */
  warn: number
  /** Weight of the reports that count towards a suspension: the call is confirmed. */
  suspend: number
  /** Weight of those reports that count towards a suspension and whose reporter has standing. */
  standing: number
}

export function weighCase(reports: readonly ReportFacts[], terms: StandingTerms): CaseWeight {
  const hasOwnStanding = (report: ReportFacts) => hasStanding(report, terms)
  const confirmed = reports.filter(isConfirmed)
  const warning = reports.filter((report) => isConfirmed(report) || hasOwnStanding(report))
  return {
    warn: weightOfReports(warning, terms),
    suspend: weightOfReports(confirmed, terms),
    standing: weightOfReports(confirmed.filter(hasOwnStanding), terms),
  }
}

/**
 * Returns the time of the report with which the reports reach the suspension threshold, as if all reporters had
 * standing; null if they do not reach it. From this time on the case is urgent.
 */
export function urgentSince(reports: readonly ReportFacts[], reportsToSuspend: number): number | null {
  const heaviest = new Map<string, number>()
  let total = 0
  for (const report of [...reports].sort((one, other) => one.at - other.at)) {
    const before = heaviest.get(report.reporter) ?? 0
    const weight = Math.max(before, fullWeight(report))
    heaviest.set(report.reporter, weight)
    total += weight - before
    if (total >= reportsToSuspend) return report.at
  }
  return null
}
