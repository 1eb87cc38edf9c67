import type { DeletionState, PendingDeletion } from '#protocol/deletion.ts'
import type { Provider } from '#protocol/fields.ts'
import type { MyData } from '#protocol/my-data.ts'
import type { KeptUntilOld } from './retention.ts'

/** The records for export, deletion, legal holds and retention. Times are milliseconds since 1970. */

/** Where a deletion was requested: by the user in the product, or at Facebook. */
export type DeletionSource = 'user' | 'Facebook'

type DeletionTimes = { requestedAt: number; startAt: number; dueAt: number }

/** The digest of a confirmation code, and the digest of the signed request for which it was issued. */
export type DeletionCode = { digest: string; proof: string }

export interface Deletions {
  /** Records the request and ends every login of the account, in one transaction. A pending request stays as it is. */
  request(
    accountId: string,
    source: DeletionSource,
    times: DeletionTimes,
    code: DeletionCode | null,
  ): Promise<PendingDeletion>
  /** Records that there was nothing to delete, so that `stateOf` finds the code. */
  recordNothing(source: DeletionSource, at: number, code: DeletionCode): Promise<void>
  /** Adds a code to the deletion of an earlier signed request; resolves with false for a new request. */
  addCode(code: DeletionCode): Promise<boolean>
  pending(accountId: string): Promise<PendingDeletion | null>
  /** Resolves with false if no request is pending, or the account is under a legal hold. */
  cancel(accountId: string, at: number): Promise<boolean>
  stateOf(codeDigest: string): Promise<DeletionState | null>
  /** Resolves with the accounts whose deletion is due, the oldest request first; accounts under a legal hold are left out. */
  ready(at: number, limit: number): Promise<string[]>
  /**
   * Removes all data of the account in one transaction. Changes nothing and resolves with false if no request is due, or the account is
   * under a legal hold.
   */
  erase(accountId: string, at: number): Promise<boolean>
}

type LegalHold = { accountId: string; reason: string; setBy: string; at: number }

export interface LegalHolds {
  /** Keeps this account's data from being deleted; an existing hold takes the new reason. */
  set(hold: LegalHold): Promise<void>
  /** Resolves with false if there was no hold. */
  release(accountId: string): Promise<boolean>
  all(): Promise<LegalHold[]>
  /** Resolves with the accounts with this email address, at most one for each provider. */
  accountsOf(email: string): Promise<{ id: string; provider: Provider }[]>
}

export interface PersonalData {
  accountOf(provider: Provider, subject: string): Promise<string | null>
  /** Resolves with everything that is stored about one account; other accounts appear under the name that `nameOf` returns. */
  of(accountId: string, at: number, nameOf: (other: string) => string): Promise<MyData | null>
}

export interface Expiry {
  /** Removes at most `limit` records of this kind that are older than `before`, and resolves with their number. */
  remove(kind: KeptUntilOld, before: number, limit: number): Promise<number>
}
