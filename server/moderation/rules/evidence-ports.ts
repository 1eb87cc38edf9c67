/** Records and cryptography that evidence needs. Times are milliseconds since 1970. `session` is the id of a match. */

/** `reporters-view` is what the reporter saw of the reported person, `own-camera` the reported person's own picture. */
type EvidenceKind = 'flagged' | 'reporters-view' | 'own-camera'

export type EvidenceFacts = {
  id: string
  /** A picture of kind `waiting` has no report yet, and is deleted after two minutes unless it is linked to a report. */
  kind: EvidenceKind | 'waiting'
  uploader: string
  /** The account that the picture shows; the uploader while the picture waits for a report. */
  subject: string
  /** The match, null for a picture of the dashboard. */
  session: string | null
  /** The account that made the linked report, null without a report. */
  reporter: string | null
  /** The `userSessionId` of the uploader's browser. */
  userSession: string
  /** SHA-256 of the JPEG, in base64url. */
  sha256: string
  /**
   * The perceptual hash, in hexadecimal. Null for a dashboard's picture, for evidence of an earlier version, and for a
   * picture of nearly one brightness.
   */
  print: string | null
  at: number
}

/** The facts, the encrypted JPEG, and a signature over the facts, both made with the key `keyId`. */
export type SealedEvidence = EvidenceFacts & { keyId: string; signature: string; sealed: Uint8Array }

/** Encrypts and signs evidence. Keys can be rotated: the newest key is used for new evidence, older keys only to read. */
export interface EvidenceVault {
  seal(facts: Omit<EvidenceFacts, 'sha256'>, jpeg: Uint8Array): SealedEvidence
  /** Changes and signs the facts. Returns null when the present signature is invalid. */
  amend(evidence: SealedEvidence, change: Partial<EvidenceFacts>): SealedEvidence | null
  /** Returns the JPEG; null when facts or picture do not match the signature. */
  open(evidence: SealedEvidence): Uint8Array | null
}

/** Identifies a report. `session` is the id of the match. */
export type ReportKey = { session: string; reporter: string; reported: string }

/** Selects evidence that shows a user (`subject`), that shows a user or was sent by the user (`account`), or of a match (`session`). */
export type EvidenceScope = { subject: string } | { account: string } | { session: string }

export interface EvidenceRecords {
  add(evidence: SealedEvidence): Promise<void>
  find(id: string): Promise<SealedEvidence | null>
  /** Resolves with the linked and flagged evidence, oldest first; evidence that waits for a report is left out. */
  list(scope: EvidenceScope): Promise<EvidenceFacts[]>
  waitingIn(session: string): Promise<SealedEvidence[]>
  /** Stores the amended facts of waiting evidence. If the report already has a picture of this uploader, deletes the evidence instead. */
  link(evidence: SealedEvidence): Promise<void>
  /** Resolves with the id of the match that the user is in, or of the user's last match if it ended after `since`. */
  findLastMatch(accountId: string, since: number): Promise<string | null>
  /**
   * Resolves with the newest report by or about the uploader to which no picture of the uploader is linked, if its
   * match goes on or ended after `since`.
   */
  findReportWithoutPicture(uploader: string, since: number): Promise<ReportKey | null>
  /** Deletes evidence that waits for a report and was stored at `since` or earlier. */
  deleteWaiting(since: number): Promise<void>
  oldestWaiting(): Promise<number | null>
  deleteFor(scope: EvidenceScope): Promise<void>
  /** Deletes evidence older than `before` that is not under a legal hold. Resolves with the number of pictures. */
  expire(before: number): Promise<number>
}

export type FlaggedPicture = { userSession: string; jpeg: Uint8Array; at: number }
