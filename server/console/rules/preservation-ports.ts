import * as v from 'valibot'
import { incidentTypeSchema, type Preservation } from '#protocol/console-preservations.ts'
import { genderSchema, providerSchema } from '#protocol/fields.ts'
import { blockStatusSchema } from '#protocol/moderation.ts'
import { recordsOf } from '#protocol/parse.ts'
import { curtainSeenSchema, reportReasonSchema } from '#protocol/reports.ts'

/** What a preservation consists of, and its records. Times are milliseconds since 1970; `session` is the id of a match. */

const time = v.number()
const text = v.nullable(v.string())

/** A login session, with the city and country of its network; the server stores no network address. */
const loginSchema = v.object({
  createdAt: time,
  signedInAt: v.nullable(time),
  seenAt: v.nullable(time),
  browser: text,
  device: text,
  os: text,
  city: text,
  country: text,
})

const personSchema = v.object({
  id: v.string(),
  provider: providerSchema,
  subject: v.string(),
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  status: blockStatusSchema,
  createdAt: time,
  nickName: text,
  gender: v.nullable(genderSchema),
  dateOfBirth: text,
  /** The profile picture, WebP in base64. */
  picture: text,
  logins: recordsOf(loginSchema),
  /** Keyed digests of networks and devices: equal digests mean the same network or kind of device. */
  traces: recordsOf(v.object({ kind: v.picklist(['address', 'device']), digest: v.string(), at: time })),
})
export type PreservedPerson = v.InferOutput<typeof personSchema>

const factsSchema = v.object({
  /** The user of the case first, then everybody whose browser sent a picture or who reported the user. */
  people: recordsOf(personSchema),
  reports: recordsOf(
    v.object({
      session: v.string(),
      reporter: v.string(),
      type: v.string(),
      reason: v.nullable(reportReasonSchema),
      note: text,
      curtain: v.nullable(curtainSeenSchema),
      callMs: v.nullable(v.number()),
      at: time,
      outcome: text,
    }),
  ),
  matches: recordsOf(
    v.object({
      id: v.string(),
      caller: v.string(),
      callee: v.string(),
      startedAt: time,
      answeredAt: v.nullable(time),
      endedAt: v.nullable(time),
    }),
  ),
  findings: recordsOf(v.object({ label: v.string(), score: v.number(), at: time })),
  history: recordsOf(
    v.object({ from: v.string(), to: v.string(), by: v.string(), rule: v.string(), reason: v.string(), at: time }),
  ),
  /** Ids of the pictures that a moderator opened in the console before. */
  viewed: recordsOf(v.string()),
})
export type CaseFacts = v.InferOutput<typeof factsSchema>

export const caseCopySchema = v.object({
  ...factsSchema.entries,
  caseId: v.string(),
  incidentType: incidentTypeSchema,
  incidentAt: time,
  seen: v.string(),
  pictures: recordsOf(
    v.object({
      id: v.string(),
      kind: v.string(),
      uploader: v.string(),
      reporter: text,
      session: text,
      at: time,
      /** SHA-256 of the JPEG, in hexadecimal, as it was signed when the picture came. */
      sha256: v.string(),
      /** In base64; null if the picture or its facts do not match the signature. */
      jpeg: text,
    }),
  ),
})
/** Everything that is copied when a moderator opens a preservation. */
export type CaseCopy = v.InferOutput<typeof caseCopySchema>

/** The stored row. `keptFrom` is the start of the retention period, `sealed` the encrypted CaseCopy. */
export type SealedPreservation = Omit<Preservation, 'endsAt'> & { keptFrom: number; keyId: string; sealed: Uint8Array }
export type PreservationRow = Omit<SealedPreservation, 'keyId' | 'sealed'>

export interface Preservations {
  add(preservation: SealedPreservation): Promise<void>
  /** Resolves with at most `limit`, the newest first. */
  latest(limit: number): Promise<PreservationRow[]>
  find(id: string): Promise<SealedPreservation | null>
  /** Resolves with true for exactly one of several concurrent callers, and with false for the moderator who opened the preservation. */
  confirm(id: string, moderator: string, at: number): Promise<boolean>
  /** Deletes an unconfirmed preservation. Resolves with false for a confirmed preservation, and for the moderator who opened it. */
  refuse(id: string, moderator: string): Promise<boolean>
  /** Resolves with false if the preservation is not confirmed, or was sent before. */
  setSent(
    id: string,
    sent: { authority: string; authorityReference: string; sentBy: string; sentAt: number },
  ): Promise<boolean>
}

export interface CaseFactsRecords {
  /** Resolves with null if there is no such account. `uploaders` are the accounts whose browsers sent the pictures. */
  copy(caseId: string, uploaders: readonly string[]): Promise<CaseFacts | null>
}

/** Encrypts and encodes the copies, with the keys of evidence. */
export interface PreservationVault {
  base64Of(bytes: Uint8Array): string
  hexOf(base64url: string): string
  seal(id: string, copy: CaseCopy): { keyId: string; sealed: Uint8Array }
  /** Returns null if the key is missing, or the copy does not match what was encrypted. */
  open(preservation: Pick<SealedPreservation, 'id' | 'keyId' | 'sealed'>): CaseCopy | null
}
