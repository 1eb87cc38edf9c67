import type { ContentNoticeKind, ContentNoticeOutcome } from '#protocol/content-notices.ts'
import type { TransparencyReport } from '#protocol/transparency.ts'
import type { ActorKind, CaseOutcome, StatusChange } from '../../moderation/rules/ports.ts'
import type { Period } from './period.ts'

/** A report of one user about another. `reason` is null where none was given. */
export type NoticeFact = { reason: string | null; at: number; outcome: CaseOutcome | null; decidedAt: number | null }

export type ContentNoticeFact = {
  kind: ContentNoticeKind
  at: number
  outcome: ContentNoticeOutcome | null
  answeredAt: number | null
}

/** A change of status. `accountId` serves to follow one case and is never published. */
export type ChangeFact = Pick<StatusChange, 'accountId' | 'from' | 'to' | 'what' | 'at'> & { by: ActorKind }

export interface TransparencyRecords {
  /** Resolves with the reports that came, or were decided, from `start` to before `end`. */
  notices(start: number, end: number): Promise<NoticeFact[]>
  /** Resolves with the notices of people without an account that came, or were answered, from `start` to before `end`. */
  contentNotices(start: number, end: number): Promise<ContentNoticeFact[]>
  /** Resolves with the changes of status from `start` on, oldest first. */
  changes(start: number): Promise<ChangeFact[]>
  /**
   * Publishes the report of a period and resolves with null. If a published period has a month in common with it, publishes nothing and
   * resolves with that period: one report subtracted from the other would reveal counts that each of them hides.
   */
  publish(report: TransparencyReport): Promise<Period | null>
  withdraw(period: Period): Promise<boolean>
  /** Resolves with the published report of the latest period. */
  latest(): Promise<TransparencyReport | null>
}
