import type { BlockStatus } from '#protocol/block-status.ts'
import type { CaseEvidence, CaseKind, CaseSummary, PictureAgreement } from '#protocol/console.ts'
import type { NoticeEmailState } from '#protocol/console-notices.ts'
import type { ContentNoticeKind, ContentNoticeOutcome } from '#protocol/content-notices.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#protocol/durations.ts'
import type { Cause, Rule, Verdict } from '#protocol/moderation.ts'
import type { ReportReason } from '#protocol/reports.ts'

/** The console's texts for the codes of moderation. */

export const kindTexts: Record<CaseKind, string> = {
  appeal: 'Appeal',
  findings: 'Flagged',
  reports: 'Reports',
  'earlier-account': 'Earlier account',
  resemblance: 'Like a banned account',
}

export const reasonTexts: Record<ReportReason, string> = {
  nudity: 'Nudity or sexual acts',
  harassment: 'Harassment or hate',
  'under-18': 'May be under 18',
  violence: 'Violence or self-harm',
  spam: 'Spam or a recording',
  'intimate-without-consent': 'Intimate pictures without consent',
  other: 'Something else',
}

export const evidenceTexts: Record<CaseEvidence['kind'], string> = {
  'reporters-view': 'What the reporter saw',
  'own-camera': 'Their own camera',
  flagged: 'Flagged by the classifier',
}

/** Says which browser sent a picture, because a browser can send a forged one. */
export const senderTexts: Record<CaseEvidence['kind'], string> = {
  'reporters-view': 'Sent by the reporter’s browser: could be forged',
  'own-camera': 'Sent by the reported person’s browser: could be forged',
  flagged: 'Sent by this person’s browser: could be forged',
}

export const agreementTexts: Record<PictureAgreement, string> = {
  agree: 'The two pictures agree.',
  disagree: 'The two pictures do not agree. They do not say which side is right.',
  unknown: 'The two pictures cannot be compared.',
}

export const statusTexts: Record<BlockStatus, string> = {
  Valid: 'In good standing',
  Warning: 'Warned',
  Appeal: 'Suspended',
  InReview: 'Appealed',
  Blocked: 'Blocked',
}

export const verdictTexts: Record<Verdict, string> = {
  dismiss: 'Dismiss',
  warn: 'Warn',
  suspend: 'Suspend',
  block: 'Block',
  restore: 'Restore',
}

/** The effect of a verdict, shown before it is confirmed. */
export const verdictEffects: Record<Verdict, string> = {
  dismiss: 'What was reported does not break the rules. It counts against the reporters.',
  warn: 'They may go on chatting and see a warning with the rule.',
  suspend: 'They cannot chat for now. They may appeal.',
  block: 'They are kept out for good, with every account they open.',
  restore: 'They may chat again, and are told so.',
}

export const ruleTexts: Record<Rule, string> = {
  guidelines: 'Community rules in general',
  'be-respectful': 'Be respectful',
  'no-explicit-content': 'No explicit content without consent',
  'no-personal-data': 'No personal information',
  'no-recording': 'No recording without consent',
  'no-spam': 'No spam or flooding',
  'no-impersonation': 'No impersonation',
  'no-scams': 'No scams or fraud',
  'no-illegal-activity': 'No illegal activity',
  'no-ban-evasion': 'No bypassing of a ban',
  'adults-only': 'Adults only',
}

export const causeTexts: Record<Cause, string> = {
  reports: 'reports',
  frames: 'flagged frames',
  age: 'age',
  moderator: 'a moderator',
  'earlier-ban': 'an earlier block',
  'review-late': 'a review that came too late',
}

export const noticeKindTexts: Record<ContentNoticeKind, string> = {
  'intimate-picture': 'Intimate picture without consent',
  impersonation: 'Impersonation',
}

export const noticeOutcomeTexts: Record<ContentNoticeOutcome, string> = {
  acted: 'We have acted',
  declined: 'We could not act',
}

/** The state of the e-mail with the answer. */
export const noticeEmailTexts: Record<NoticeEmailState, string> = {
  off: 'No mail server is configured: the person reads it with the reference number.',
  waiting: 'The e-mail is on its way.',
  sent: 'E-mailed.',
  failed: 'The e-mail could not be delivered: the person can still read the answer with the reference number.',
}

const actors: Record<string, string> = {
  policy: 'the policy',
  classifier: 'the classifier',
  user: 'the person',
  moderator: 'a moderator',
  age: 'the date of birth',
  ban: 'an earlier block',
  'earlier-case': 'a case of an earlier account',
  time: 'time',
}

export function actorText(kind: string, moderator: string | null): string {
  return moderator ?? actors[kind] ?? kind
}

export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

/** Formats a duration in its largest whole unit. */
export function spanText(ms: number): string {
  if (ms >= DAY_MS) return counted(Math.floor(ms / DAY_MS), 'day')
  if (ms >= HOUR_MS) return counted(Math.floor(ms / HOUR_MS), 'hour')
  return ms >= MINUTE_MS ? counted(Math.floor(ms / MINUTE_MS), 'minute') : counted(Math.floor(ms / 1000), 'second')
}

export function dueText(dueAt: number, now: number): string {
  return dueAt < now ? `${spanText(now - dueAt)} overdue` : `${spanText(dueAt - now)} left`
}

export const timeText = new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format
export const dateText = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format

/** Returns the nickname; for a user without a profile the first characters of the case id. */
export function nameOf({ nickName, id }: Pick<CaseSummary, 'nickName' | 'id'>): string {
  return nickName ?? id.slice(0, 8)
}
