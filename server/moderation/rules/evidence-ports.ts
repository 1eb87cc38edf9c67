/** The records and the cryptography that evidence needs. Times are milliseconds since 1970. */

/** `reporters-view` is what the reporter saw of the reported person, `own-camera` the reported person's own picture. */
type EvidenceKind = 'flagged' | 'reporters-view' | 'own-camera'

/** What the server vouches for about a picture that is kept as evidence. */
export type EvidenceFacts = {
  id: string
  /** `waiting` for a report, without which it goes within two minutes. */
  kind: EvidenceKind | 'waiting'
  /** Whose browser sent it. */
  uploader: string
  /** Whom it shows; the uploader as long as it waits. */
  subject: string
  /** The match it is from, null for a picture of the dashboard. */
  session: string | null
  /** Who made the report it belongs to, null without one. */
  reporter: string | null
  userSession: string
  /** Of the JPEG, in base64url. */
  sha256: string
  at: number
}

/** Facts, the JPEG encrypted, and a signature over the facts, both with the key of this id. */
export type SealedEvidence = EvidenceFacts & { keyId: string; signature: string; sealed: Uint8Array }

/** Encrypts and signs with keys that can be rotated: the newest makes, all of them read. */
export interface EvidenceVault {
  close(facts: Omit<EvidenceFacts, 'sha256'>, jpeg: Uint8Array): SealedEvidence
  /** Signs facts that have changed. Null where the evidence is not as it was signed. */
  amend(evidence: SealedEvidence, change: Partial<EvidenceFacts>): SealedEvidence | null
  /** The JPEG; null where facts or picture are not as they were signed. */
  open(evidence: SealedEvidence): Uint8Array | null
}

/** Who reported whom, in which match. */
export type ReportKey = { session: string; reporter: string; reported: string }

/** Which evidence: about a person, by or about a person, of a match. */
export type EvidenceScope = { subject: string } | { account: string } | { session: string }

export interface EvidenceRecords {
  add(evidence: SealedEvidence): Promise<void>
  find(id: string): Promise<SealedEvidence | null>
  /** Oldest first. What still waits for a report is left out. */
  list(scope: EvidenceScope): Promise<EvidenceFacts[]>
  /** What waits for a report of this match. */
  waitingIn(session: string): Promise<SealedEvidence[]>
  /** Puts waiting evidence in its place; where the report has a picture of this uploader, it is deleted instead. */
  link(evidence: SealedEvidence): Promise<void>
  /** The match that the person is in, or else the last one that ended after `since`. */
  lastMatch(accountId: string, since: number): Promise<string | null>
  /** The newest report by or against the person since then that lacks a picture of theirs, in a match that was on since then. */
  reportWithout(uploader: string, since: number): Promise<ReportKey | null>
  /** Deletes what has waited since then or longer. */
  dropWaiting(since: number): Promise<void>
  /** Since when the oldest of what waits has done so. */
  oldestWaiting(): Promise<number | null>
  /** Deletes after a review, but for what a legal hold keeps. */
  dropFor(scope: EvidenceScope): Promise<void>
  /** Deletes what is older, whatever became of it, but for what a legal hold keeps; answers how many. */
  expire(before: number): Promise<number>
}

/** Keeps flagged pictures of a person as evidence. */
export type KeepFlagged = (
  accountId: string,
  pictures: readonly { userSession: string; jpeg: Uint8Array; at: number }[],
) => Promise<void>
