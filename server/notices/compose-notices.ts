import { randomBytes } from 'node:crypto'
import type { UserEndpointGroup } from '../accounts/http/login.ts'
import { createAudit } from '../console/records/audit.ts'
import { keyedDigest } from '../platform/crypto.ts'
import { openEmail } from '../platform/email/open-email.ts'
import type { Platform } from '../platform/platform.ts'
import { noticeRoutes } from './http/notice-routes.ts'
import { createNoticeRecords } from './records/notice-records.ts'
import { createAnswerSender } from './rules/answer-email.ts'
import { createNotices } from './rules/notices.ts'
import { createProofs } from './rules/proofs.ts'

/** Period of the email job: an email that is due waits at most this long. */
const EMAIL_MS = 30_000
const REFERENCE_BYTES = 6

/** Notices of people without an account: the form's endpoints, and the emails with the answers. */
export async function composeNotices({ config, secrets, clock, newId, counts, database, jobs, ownOrigins }: Platform) {
  const { contentNotices, noticeEmails } = database.records(createNoticeRecords)
  const { audit } = database.records((db) => ({ audit: createAudit(db) }))
  const randomHex = () => randomBytes(REFERENCE_BYTES).toString('hex')
  const proofs = createProofs({ digest: keyedDigest(secrets.jwt), counts, clock })
  const notices = createNotices({ records: contentNotices, audit, counts, proofs, clock, newId, randomHex })

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
    endpoints: ((endpoint) => noticeRoutes(endpoint, notices)) as UserEndpointGroup,
  }
}
