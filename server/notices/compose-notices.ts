import type { UserEndpoint } from '../accounts/http/login.ts'
import { createAudit } from '../console/records/console-records.ts'
import { keyedDigest, newReference } from '../platform/crypto.ts'
import { openEmail } from '../platform/email/open-email.ts'
import { languageOf } from '../platform/http/language-of.ts'
import { CONTENT_NOTICE_RATE, CONTENT_NOTICE_STATE_RATE } from '../platform/http/rate-limits.ts'
import type { Platform } from '../platform/platform.ts'
import { createNoticeRecords } from './records/notice-records.ts'
import { createAnswerSender } from './rules/answer-email.ts'
import { createNotices, type Notices } from './rules/notices.ts'
import { createProofs } from './rules/proofs.ts'

/** Period of the email job: an email that is due waits at most this long. */
const EMAIL_MS = 30_000

function noticeRoutes(endpoint: UserEndpoint, notices: Notices): void {
  endpoint(
    'sendContentNotice',
    ({ input, request }) => notices.send(input, languageOf(request), request.ip),
    CONTENT_NOTICE_RATE,
  )
  endpoint(
    'readNoticeChallenge',
    async ({ request }) => ({ challenge: await notices.challenge(request.ip) }),
    CONTENT_NOTICE_RATE,
  )
  endpoint('readContentNotice', ({ input }) => notices.read(input), CONTENT_NOTICE_STATE_RATE)
  endpoint('deleteContentNotice', ({ input }) => notices.remove(input), CONTENT_NOTICE_STATE_RATE)
}

/** Notices of people without an account: the form's endpoints, and the emails with the answers. */
export async function composeNotices({ config, secrets, clock, newId, counts, database, jobs, ownOrigins }: Platform) {
  const { contentNotices, noticeEmails } = database.records(createNoticeRecords)
  const { audit } = database.records((db) => ({ audit: createAudit(db) }))
  const proofs = createProofs({ digest: keyedDigest(secrets.jwt), counts, clock })
  const notices = createNotices({ records: contentNotices, audit, counts, proofs, clock, newId, newReference })

  if (config.smtp !== null) {
    const sendAnswers = createAnswerSender({
      records: contentNotices,
      emails: noticeEmails,
      audit,
      transport: await openEmail(config.smtp),
      clock,
      pageAddress: () => `${ownOrigins()[0] ?? ''}/report-content`,
    })
    jobs.every('notices: sending answers', EMAIL_MS, sendAnswers)
  }

  return {
    records: contentNotices,
    counts: () => contentNotices.counts(clock.now()),
    endpoints: (endpoint: UserEndpoint) => noticeRoutes(endpoint, notices),
  }
}
