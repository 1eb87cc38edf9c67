import { REVIEW_DAYS } from '#protocol/constants.ts'

/** Texts about the cause of a user's status, and about how a restriction ended. */
export const texts = {
  'cases.what': 'What happened',
  'cases.who': 'Who decided',
  'cases.rule': 'Rule',
  'cases.next': 'What happens next',
  'cases.since': 'From',
  'cases.until': 'Until',
  'cases.for-good': 'For good',
  'cases.cause.reports': 'You were reported during a video chat.',
  'cases.cause.frames': 'An automatic check found explicit content in pictures from your camera.',
  'cases.cause.age': 'The date of birth that you gave is that of a person under 18.',
  'cases.cause.moderator': 'A moderator looked at your case and decided it.',
  'cases.cause.earlier-ban': 'You were blocked before, and this is the same person signing in.',
  'cases.cause.review-late': `We did not review your case within ${REVIEW_DAYS} days. That is our fault, so you can chat again.`,
  'cases.who.reports': 'Our system, by what was reported. No moderator has decided this.',
  'cases.who.frames': 'Our system, by an automatic check of camera pictures. No moderator has decided this.',
  'cases.who.age': 'Our system, by the date of birth that you gave.',
  'cases.who.moderator': 'A moderator.',
  'cases.who.earlier-ban': 'Our system, because you were blocked before.',
  'cases.who.review-late': 'Our system, because no moderator decided in time.',
  'cases.rule.guidelines': 'The community guidelines.',
  'cases.rule.reported': 'The community guidelines; a report names no single rule.',
  'cases.rule.be-respectful': 'Be respectful: no harassment, bullying, hate speech or discrimination.',
  'cases.rule.no-explicit-content': 'No explicit content without consent, and no adult or offensive content.',
  'cases.rule.no-personal-data': 'Do not share or ask for personal details.',
  'cases.rule.no-recording': 'No recording or sharing of chats without consent.',
  'cases.rule.no-spam': 'No spam or flooding.',
  'cases.rule.no-impersonation': 'No impersonation.',
  'cases.rule.no-scams': 'No scams and no fraud.',
  'cases.rule.no-illegal-activity': 'No illegal activity.',
  'cases.rule.no-ban-evasion': 'Do not bypass a ban.',
  'cases.rule.adults-only': 'You must be 18 or older.',
  'cases.next.warning-ends': 'You can chat. The warning ends by itself if nothing new comes.',
  'cases.next.may-appeal': `If you appeal, a moderator decides within ${REVIEW_DAYS} days. If you do not, the suspension ends by itself with a warning.`,
  'cases.next.under-review':
    'A moderator decides, and you will be told here. If we are late, you can chat again with a warning.',
  'cases.next.final': 'This decision is final.',
  'cases.outcome.restored': 'Your account is restored',
  'cases.outcome.restored.text': 'A moderator reviewed your case. You can start a video chat again.',
  'cases.outcome.warned': 'You can chat again',
  'cases.outcome.warned.text': 'A moderator reviewed your case. A warning stays for a while.',
  'cases.outcome.suspended': 'Your account stays suspended',
  'cases.outcome.suspended.text': 'A moderator reviewed your case and decided against you.',
  'cases.outcome.blocked': 'Your suspension is now permanent',
  'cases.outcome.blocked.text': 'A moderator reviewed your case and decided against you.',
  'cases.outcome.ended': 'Your suspension is over',
  'cases.outcome.ended.text': 'Its time ran out. You can chat again. A warning stays for a while.',
  'cases.outcome.late': 'We were late with your case',
  'cases.outcome.late.text': `We promised a review within ${REVIEW_DAYS} days and did not make it. You can chat again, with a warning.`,
} as const

declare global {
  interface TextGroups {
    cases: typeof texts
  }
}
