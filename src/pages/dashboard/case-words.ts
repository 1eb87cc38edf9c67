import { REVIEW_DAYS } from '#protocol/constants.ts'
import type { Cause, NextStep, ReviewOutcome, Rule } from '#protocol/moderation.ts'

/** What people read for the codes of moderation. */

export const causeTexts: Record<Cause, string> = {
  reports: 'People who talked with you reported you.',
  frames: 'Pictures from your camera were found to show explicit content.',
  age: 'The date of birth that you gave is that of a person under 18.',
  moderator: 'A moderator looked at your case and decided it.',
  'earlier-ban': 'You were blocked before, and this is the same person signing in.',
  'review-late': `We did not review your case within ${REVIEW_DAYS} days. That is our fault, so you can chat again.`,
}

export const ruleTexts: Record<Rule, string> = {
  guidelines: 'The community guidelines; a report names no single rule.',
  'be-respectful': 'Be respectful: no harassment, bullying, hate speech or discrimination.',
  'no-explicit-content': 'No explicit content without consent, and no adult or offensive content.',
  'no-personal-data': 'Do not share or ask for personal details.',
  'no-recording': 'No recording or sharing of chats without consent.',
  'no-spam': 'No spam or flooding.',
  'no-impersonation': 'No impersonation.',
  'no-scams': 'No scams and no fraud.',
  'no-illegal-activity': 'No illegal activity.',
  'no-ban-evasion': 'Do not bypass a ban.',
  'adults-only': 'You must be 18 or older.',
}

export const nextTexts: Record<NextStep, string> = {
  'warning-ends': 'You can chat. The warning ends by itself if nothing new comes.',
  'may-appeal': `If you appeal, a moderator decides within ${REVIEW_DAYS} days. If you do not, the suspension ends by itself with a warning.`,
  'under-review': 'A moderator decides, and you will be told here. If we are late, you can chat again with a warning.',
  final: 'This decision is final.',
}

export const outcomeTexts: Record<ReviewOutcome, { title: string; text: string }> = {
  restored: { title: 'Your account is restored', text: 'We reviewed your case. You can start a video chat again.' },
  warned: { title: 'You can chat again', text: 'We reviewed your case. A warning stays for a while.' },
  suspended: { title: 'Your account stays suspended', text: 'We reviewed your case and decided against you.' },
  blocked: { title: 'Your account stays blocked', text: 'We reviewed your case and decided against you.' },
  ended: { title: 'Your suspension is over', text: 'You can chat again. A warning stays for a while.' },
  late: {
    title: 'We were late with your case',
    text: `We promised a review within ${REVIEW_DAYS} days and did not make it. You can chat again, with a warning.`,
  },
}
