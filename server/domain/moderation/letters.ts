import { PRODUCT_NAME, REVIEW_DAYS } from '#protocol/constants.ts'
import type { ReviewOutcome } from '#protocol/moderation.ts'

const bodies: Record<ReviewOutcome, string> = {
  restored: 'We have looked at your case. Your account is open again, and you can start a video chat.',
  warned:
    'We have looked at your case. Your account is open again, with a warning: continued violations of the community guidelines may lead to permanent suspension.',
  suspended:
    'We have looked at your case, and your account stays suspended. Your dashboard says on which rule, until when, and how to appeal.',
  blocked:
    'We have looked at your case, and your account is permanently suspended for violations of the community guidelines. Your dashboard says on which rule.',
  ended: 'The temporary suspension of your account is over. A warning stays: please follow the community guidelines.',
  late: `We promised to review your case within ${REVIEW_DAYS} days and did not. You shall not wait for us: your account is open again, with a warning.`,
}

/** What somebody reads whose time of being kept out has ended. Nothing in it says what was reported: others may read a mailbox. */
export function letterFor(outcome: ReviewOutcome, origin: string): { subject: string; text: string } {
  return {
    subject: `Your ${PRODUCT_NAME} account: an update on your case`,
    text: `Hello,\n\n${bodies[outcome]}\n\n${origin}\n\n${PRODUCT_NAME}\n`,
  }
}
