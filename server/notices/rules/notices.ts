import {
  type ContentNotice,
  type ContentNoticeReceipt,
  type ContentNoticeState,
  contentNoticeDueMs,
} from '#protocol/content-notices.ts'
import { AppError } from '#protocol/errors.ts'
import type { Language } from '#protocol/languages.ts'
import { latestDay } from '#protocol/latest-day.ts'
import type { Audit } from '../../console/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Counts } from '../../platform/rules/counts.ts'
import { createNoticeLimits } from './notice-limits.ts'
import type { ContentNotices, StoredNotice } from './ports.ts'
import type { Proofs } from './proofs.ts'

const OLDEST_DAY = '1900-01-01'

type Deps = {
  records: Pick<ContentNotices, 'add' | 'find' | 'remove'>
  audit: Pick<Audit, 'add'>
  counts: Pick<Counts, 'add'>
  proofs: Proofs
  clock: Pick<Clock, 'now'>
  newId: () => string
  /** Returns the reference number of a new notice, without hyphens. */
  newReference: () => string
}

/** `reference` is without hyphens. */
type OwnNotice = { reference: string; email: string }

function receiptOf({ reference, kind, at, dueAt }: StoredNotice): ContentNoticeReceipt {
  return { reference, kind, at, dueAt }
}

/** Addresses are compared without regard to case, as people type them. */
function isOf(notice: StoredNotice, email: string): boolean {
  return notice.email.toLowerCase() === email.toLowerCase()
}

function checkDay(day: string, now: number): void {
  const isPossible = day >= OLDEST_DAY && day <= latestDay(now)
  if (!isPossible) throw new AppError('bad-request', 'The date cannot be in the future', { field: 'day' })
}

/** The notices of people without an account, as these people send, read and delete them. */
export function createNotices({ records, audit, counts, proofs, clock, newId, newReference }: Deps) {
  const limits = createNoticeLimits({ counts, proofs })

  function record(action: string, what: string): Promise<void> {
    return audit.add({ at: clock.now(), moderator: null, session: null, action, whom: null, what })
  }

  /** Resolves with the receipt of an earlier request with this key; null where there was none. */
  async function findReceipt({ key, email }: ContentNotice): Promise<ContentNoticeReceipt | null> {
    const earlier = await records.find('requestKey', key)
    if (!earlier) return null
    if (!isOf(earlier, email)) throw new AppError('wrong-state', 'This key belongs to another notice')
    return receiptOf(earlier)
  }

  async function findOwn({ reference, email }: OwnNotice): Promise<StoredNotice> {
    const notice = await records.find('reference', reference)
    // The same error for a wrong address, so that a reference number alone reveals nothing.
    if (!notice || !isOf(notice, email)) throw new AppError('not-found', 'There is no such notice')
    return notice
  }

  return {
    /**
     * Stores a notice once, even if the request is repeated. The deadline counts from the first request. `address` is that of the sender.
     */
    async send(input: ContentNotice, language: Language, address: string): Promise<ContentNoticeReceipt> {
      const known = await findReceipt(input)
      if (known) return known
      const at = clock.now()
      checkDay(input.day, at)
      await limits.countNew(address, input.proof)
      const { kind, email, day, time = null, description, link = null, signature = null, key } = input
      const reference = newReference()
      const dueAt = at + contentNoticeDueMs[kind]
      const isGoodFaith = input.isGoodFaith === true
      const facts = { kind, email, language, day, time, description, link, signature, isGoodFaith, at, dueAt }
      const isNew = await records.add({ id: newId(), reference, requestKey: key, ...facts })
      // A concurrent request with this key was stored first.
      if (!isNew) return (await findReceipt(input)) ?? Promise.reject(new AppError('unavailable'))
      await record('notice-received', `${reference} ${kind}`)
      return { reference, kind, at, dueAt }
    },

    challenge: limits.challenge,

    /** Rejects with `not-found` unless reference and email address belong to one notice. */
    async read(own: OwnNotice): Promise<ContentNoticeState> {
      const notice = await findOwn(own)
      const { answer } = notice
      return { ...receiptOf(notice), answer: answer && { outcome: answer.outcome, text: answer.text, at: answer.at } }
    },

    /** Deletes everything about the notice, answered or not. Rejects like `read`. */
    async remove(own: OwnNotice): Promise<void> {
      const { id, reference, answer } = await findOwn(own)
      await record('notice-deleted', `${reference}, ${answer ? 'answered' : 'without an answer'}`)
      await records.remove(id)
    },
  }
}
export type Notices = ReturnType<typeof createNotices>
