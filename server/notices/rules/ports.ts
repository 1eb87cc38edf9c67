import type { OpenedContentNotice } from '#protocol/console-notices.ts'
import type { Language } from '#protocol/languages.ts'
import type { EmailOutbox } from '../../moderation/rules/ports.ts'

/** The records of content notices. Times are milliseconds since 1970. */

export type NoticeAnswer = NonNullable<OpenedContentNotice['answer']>

/** `reference` is without hyphens, `language` is the language of the email with the answer. */
type NoticeFacts = Omit<OpenedContentNotice, 'answer' | 'emailState'> & { language: Language }

export type StoredNotice = NoticeFacts & {
  answer: NoticeAnswer | null
  /** Whether an email with the answer waits, and when it was sent. */
  emailIsWaiting: boolean
  emailedAt: number | null
}

export type NewNotice = NoticeFacts & { requestKey: string }

/** Numbers of notices without an answer: of all, of those due within CONTENT_NOTICE_NEAR_MS or overdue, and of those overdue. */
export type NoticeCounts = { open: number; near: number; overdue: number }

type QueuedAnswer = { id: string; attempts: number }

export interface ContentNotices {
  /** Resolves with false, and adds nothing, if there is a notice with this request key. */
  add(notice: NewNotice): Promise<boolean>
  find(by: 'id' | 'reference' | 'requestKey', value: string): Promise<StoredNotice | null>
  /** Resolves with at most `limit` notices without an answer, by deadline. */
  open(limit: number): Promise<StoredNotice[]>
  counts(now: number): Promise<NoticeCounts>
  /** `emailAt` is when the email is due, null for none. Resolves with true for exactly one of several concurrent callers. */
  answer(id: string, answer: NoticeAnswer, emailAt: number | null): Promise<boolean>
  remove(id: string): Promise<boolean>
}

export interface NoticeEmails extends EmailOutbox<QueuedAnswer> {
  /** Records that the email was sent; `remove` takes it out of the outbox. */
  setSent(id: string, at: number): Promise<void>
}
