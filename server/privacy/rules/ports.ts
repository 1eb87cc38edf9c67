import type { Provider } from '#protocol/fields.ts'
import type { DeletionState, MyData, PendingDeletion } from '#protocol/my-data.ts'
import type { KeptUntilOld } from './retention.ts'

/** What the promises about personal data ask of the records. Times are milliseconds since 1970. */

/** Who asked: the person in the product, or Facebook on their behalf. */
export type DeletionSource = 'user' | 'Facebook'

type DeletionTimes = { requestedAt: number; startAt: number; dueAt: number }

/** A code that is kept as its digest, and the digest of the signed request it was given out for. */
export type DeletionCode = { digest: string; proof: string }

export interface Deletions {
  /** Records the wish and ends every login of this person, in one step. A wish that waits already stays as it is. */
  request(
    accountId: string,
    source: DeletionSource,
    times: DeletionTimes,
    code: DeletionCode | null,
  ): Promise<PendingDeletion>
  /** Notes that there was nothing to delete, so that its code has an answer. */
  recordNothing(source: DeletionSource, at: number, code: DeletionCode): Promise<void>
  /** Gives a signed request that was answered before one more code; false when it is new. */
  addCode(code: DeletionCode): Promise<boolean>
  pending(accountId: string): Promise<PendingDeletion | null>
  /** False when there is nothing to take back, or a legal hold stands in the way. */
  cancel(accountId: string, at: number): Promise<boolean>
  stateOf(codeDigest: string): Promise<DeletionState | null>
  /** Accounts whose deletion may begin now: nobody under a legal hold, the longest wait first. */
  ready(at: number, limit: number): Promise<string[]>
  /** Removes everything of this person in one step, if the wish still stands and nothing holds it. False when it does not. */
  erase(accountId: string, at: number): Promise<boolean>
}

type LegalHold = { accountId: string; reason: string; setBy: string; at: number }

export interface LegalHolds {
  /** Keeps this person's data from being deleted; a hold that is there gets the new reason. */
  set(hold: LegalHold): Promise<void>
  /** False when there was none. */
  release(accountId: string): Promise<boolean>
  all(): Promise<LegalHold[]>
  /** The accounts that have this address, one a provider. */
  accountsOf(email: string): Promise<{ id: string; provider: Provider }[]>
}

export interface PersonalData {
  accountOf(provider: Provider, subject: string): Promise<string | null>
  /** Everything that is kept about one person; other people appear under the name that `nameOf` gives them. */
  of(accountId: string, at: number, nameOf: (other: string) => string): Promise<MyData | null>
}

export interface Expiry {
  /** Removes at most `limit` records of this kind that are older than `before`; answers how many it removed. */
  remove(kind: KeptUntilOld, before: number, limit: number): Promise<number>
}
