import * as v from 'valibot'
import { DAY_MS, HOUR_MS } from './durations.ts'
import { type Endpoint, get, post } from './endpoint.ts'
import { emailSchema, isoDaySchema } from './fields.ts'

/** Content notices: what a person without an account says about content that violates their rights. */

export const CONTENT_NOTICE_TEXT_MAX = 2_000
export const CONTENT_NOTICE_LINK_MAX = 500
export const SIGNATURE_MAX = 120

/** `intimate-picture`: published or sent without consent. `impersonation`: somebody pretends to be the person. */
export const contentNoticeKindSchema = v.picklist(['intimate-picture', 'impersonation'], 'A kind is needed')
export type ContentNoticeKind = v.InferOutput<typeof contentNoticeKindSchema>

/**
 * Time within which a moderator answers. For an intimate picture, it is the time within which the TAKE IT DOWN Act
 * requires its removal (section 3(a)(3)).
 */
export const contentNoticeDueMs: Readonly<Record<ContentNoticeKind, number>> = {
  'intimate-picture': 48 * HOUR_MS,
  impersonation: 7 * DAY_MS,
}

/** Control characters except tabs and line breaks, unpaired surrogates, and characters that change the text direction. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u

/** A text of several lines. Markup in it has no meaning and is shown as it is written. */
export const noticeTextSchema = (name: string) =>
  v.pipe(
    v.string(`${name} is needed`),
    v.trim(),
    v.nonEmpty(`${name} is needed`),
    v.maxLength(CONTENT_NOTICE_TEXT_MAX, `${name} has at most ${CONTENT_NOTICE_TEXT_MAX} characters`),
    v.check((text) => !FORBIDDEN.test(text), `${name} has no control characters`),
  )

const linkSchema = v.pipe(
  v.string(),
  v.maxLength(CONTENT_NOTICE_LINK_MAX, `A link has at most ${CONTENT_NOTICE_LINK_MAX} characters`),
  v.regex(/^https?:\/\/[^\s\p{C}"<>\\]+$/iu, 'A link begins with https:// and has no spaces'),
  // A name before an @ would look like that of the server: https://bank.example@evil.example.
  v.regex(/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i, 'A link has no @ before the name of the server'),
)

/** A random key that the browser makes once for each notice, so that a notice that is sent again is stored once. */
const requestKeySchema = v.pipe(v.string('A key is needed'), v.regex(/^[\w-]{20,64}$/, 'A key is needed'))

const hexSchema = v.pipe(v.string(), v.maxLength(256), v.regex(/^(?:[0-9a-f]{2})+$/))

/**
 * A calculation for the browser, which must find the number whose key has this prefix. The form is that of altcha-lib; the server signs it.
 */
export const noticeChallengeSchema = v.object({
  parameters: v.object({
    algorithm: v.literal('PBKDF2/SHA-256'),
    nonce: hexSchema,
    salt: hexSchema,
    cost: v.pipe(v.number(), v.integer(), v.minValue(1)),
    keyLength: v.pipe(v.number(), v.integer(), v.minValue(1)),
    keyPrefix: hexSchema,
    keySignature: hexSchema,
    data: v.object({ endsAt: v.number(), level: v.number() }),
  }),
  signature: hexSchema,
})
export type NoticeChallenge = v.InferOutput<typeof noticeChallengeSchema>

const noticeProofSchema = v.object({
  challenge: noticeChallengeSchema,
  solution: v.object({ counter: v.pipe(v.number(), v.integer(), v.minValue(0)), derivedKey: hexSchema }),
})
export type NoticeProof = v.InferOutput<typeof noticeProofSchema>

/** The full name of the person, typed as a signature. */
const signatureSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(3, 'A signature is your full name'),
  v.maxLength(SIGNATURE_MAX, `A signature has at most ${SIGNATURE_MAX} characters`),
  v.regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'A signature has no control characters'),
)

/** `day` and `time` are as on the person's own calendar and clock. */
export const contentNoticeSchema = v.object({
  kind: contentNoticeKindSchema,
  email: emailSchema,
  day: isoDaySchema,
  time: v.optional(v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time is written HH:mm'))),
  description: noticeTextSchema('A description'),
  link: v.optional(linkSchema),
  /** The person declares that the notice is true. */
  isTrue: v.literal(true, 'The declaration is needed'),
  /**
   * What the TAKE IT DOWN Act (Public Law 119-12, section 3(a)(1)(B)) requires of a valid request besides the fields above: a signature,
   * and the statement that the person believes in good faith that the picture was published without consent. The form requires both for an
   * intimate picture. A notice without them, as pages of earlier versions send, is accepted and has the same deadline.
   */
  signature: v.optional(signatureSchema),
  isGoodFaith: v.optional(v.literal(true, 'The statement is needed')),
  key: requestKeySchema,
  /** Required once the notices of the hour have reached a limit. */
  proof: v.optional(noticeProofSchema),
})
export type ContentNotice = v.InferOutput<typeof contentNoticeSchema>

/** Twelve hexadecimal digits, in groups of four when shown. Spaces, hyphens and case do not matter. */
export const referenceSchema = v.pipe(
  v.string('A reference number is needed'),
  v.maxLength(40, 'A reference number has 12 letters and digits'),
  v.transform((text) => text.replace(/[\s-]/g, '').toUpperCase()),
  v.regex(/^[0-9A-F]{12}$/, 'A reference number has 12 letters and digits'),
)

const ownNoticeSchema = v.object({
  reference: referenceSchema,
  email: emailSchema,
})

/** `acted`: something was done about the content. `declined`: nothing was done. */
export const contentNoticeOutcomeSchema = v.picklist(['acted', 'declined'], 'An outcome is needed')
export type ContentNoticeOutcome = v.InferOutput<typeof contentNoticeOutcomeSchema>

const receiptSchema = v.object({
  reference: v.string(),
  kind: contentNoticeKindSchema,
  at: v.number(),
  dueAt: v.number(),
})
export type ContentNoticeReceipt = v.InferOutput<typeof receiptSchema>

const stateSchema = v.object({
  ...receiptSchema.entries,
  /** Null while no moderator has answered. */
  answer: v.nullable(v.object({ outcome: contentNoticeOutcomeSchema, text: v.string(), at: v.number() })),
})
export type ContentNoticeState = v.InferOutput<typeof stateSchema>

/** Endpoints for people without an account: a part of the table in rest.ts. POSTs, so that no URL names a person. */
export const contentNoticeEndpoints = {
  /** A repeated request with the same key and e-mail address gets the receipt of the first request. */
  sendContentNotice: post('content-notice/send', {
    login: false,
    json: contentNoticeSchema,
    // Each character of the description may take 12 bytes.
    jsonLimit: 32 * 1024,
    response: receiptSchema,
    again: 'repeatable',
  }),
  /** The calculation that a browser makes after `too-many-requests`; null if no proof would help. */
  readNoticeChallenge: get('content-notice/challenge', {
    login: false,
    response: v.object({ challenge: v.nullable(noticeChallengeSchema) }),
  }),
  /** Rejected with `not-found` unless reference number and e-mail address belong to one notice. */
  readContentNotice: post('content-notice/get', {
    login: false,
    json: ownNoticeSchema,
    jsonLimit: 4 * 1024,
    response: stateSchema,
    again: 'repeatable',
  }),
  /** Withdraws the notice and deletes everything about it. Rejected like `readContentNotice`. */
  deleteContentNotice: post('content-notice/delete', {
    login: false,
    json: ownNoticeSchema,
    jsonLimit: 4 * 1024,
    again: 'repeatable',
  }),
} satisfies Record<string, Endpoint>

/** Returns a reference number as it is shown: 0A1B-2C3D-4E5F. */
export function shownReference(reference: string): string {
  return reference.match(/.{1,4}/g)?.join('-') ?? reference
}
