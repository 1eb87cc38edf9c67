import * as v from 'valibot'
import { CHAT_MESSAGE_MAX, EXCLUSIONS_MAX, HUB_MESSAGE_LIMIT } from './constants.ts'
import { type ErrorCode, errorCodeSchema } from './errors.ts'
import { sessionIdSchema } from './fields.ts'
import { listOf, tryParse } from './parse.ts'

/** What travels over the hub: the invocations of a client and the events of the server, each an argument tuple. */

const roleSchema = v.picklist(['Caller', 'Callee'])
/** The Caller makes the offer, the Callee answers. Each reports when the picture of the other arrives. */
export type Role = v.InferOutput<typeof roleSchema>

const reportTypeSchema = v.picklist(['ReportOnly', 'BlockAndReport'], 'The reason is ReportOnly or BlockAndReport')
export type ReportType = v.InferOutput<typeof reportTypeSchema>

const connectionIdSchema = v.pipe(
  v.string('A connection id is needed'),
  v.regex(/^[\w-]{1,64}$/, 'A connection id is needed'),
)
/** Base64 of UTF-8 is at most four thirds of it, and a UTF-16 unit at most three bytes. */
const chatTextSchema = v.pipe(
  v.string('A message is text'),
  v.nonEmpty('A message is not empty'),
  v.maxLength(CHAT_MESSAGE_MAX * 4 + 4, `A message has at most ${CHAT_MESSAGE_MAX} characters`),
)
/** Null is how JSON carries an argument that was left out. */
const messageIdSchema = v.nullish(
  v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'A message id is 1 to 64 letters, digits, - or _')),
)
const signallingSchema = (what: string, max: number) =>
  v.pipe(
    v.string('Signalling data is JSON text'),
    v.nonEmpty('Signalling data is JSON text'),
    v.maxLength(max, `${what} has at most ${max} characters`),
  )
/** Browsers send up to 20 KB; more than this does not fit into one message. */
const descriptionTextSchema = signallingSchema('A description', 30_000)
/** Browsers send less than 500 characters. */
const candidateTextSchema = signallingSchema('A candidate', 2_048)
/** Text of a client that the server ignores: it knows nickname and address by itself. */
const ignoredSchema = v.nullish(v.pipe(v.string(), v.maxLength(512)))

/** The list of people to leave out, as JSON text: checked for its shape, decided by the server's own records. */
const exclusionsSchema = v.pipe(
  v.string('The exclusion list is JSON text'),
  v.maxLength(HUB_MESSAGE_LIMIT),
  v.parseJson(undefined, 'The exclusion list is not JSON'),
  listOf(
    v.pipe(v.string(), v.maxLength(256)),
    EXCLUSIONS_MAX,
    `The exclusion list is a list of at most ${EXCLUSIONS_MAX} texts`,
  ),
)

/** Argument tuples of what a client may invoke, by method name. */
export const hubMethods = {
  InitiateMatchingWithPeers: v.tuple([connectionIdSchema, exclusionsSchema]),
  HandleUserNickNameAndUserEmailIdToPeer: v.tuple([connectionIdSchema, ignoredSchema, ignoredSchema]),
  HandleOffer: v.tuple([sessionIdSchema, connectionIdSchema, descriptionTextSchema]),
  HandleAnswer: v.tuple([sessionIdSchema, connectionIdSchema, descriptionTextSchema]),
  HandleIceCandidate: v.tuple([sessionIdSchema, connectionIdSchema, candidateTextSchema]),
  SendChatMessageToPeer: v.tuple([sessionIdSchema, connectionIdSchema, chatTextSchema, messageIdSchema]),
  UpdateWebRtcConnectionSuccessStatus: v.tuple([sessionIdSchema]),
  OnMatchedSessionTerminationRequested: v.tuple([sessionIdSchema, connectionIdSchema]),
  HandleReportedUser: v.tuple([connectionIdSchema, connectionIdSchema, reportTypeSchema]),
  HandleMatchedEmailIds: v.tuple([ignoredSchema, sessionIdSchema]),
} as const
type HubMethods = typeof hubMethods
export type HubMethod = keyof HubMethods
/** The arguments as a client sends them. */
export type HubArguments<M extends HubMethod> = v.InferInput<HubMethods[M]>
/** The arguments as the server reads them. */
export type HubParsed<M extends HubMethod> = v.InferOutput<HubMethods[M]>

/** Argument tuples of what the server tells a client, by event name. */
export const hubEvents = {
  OnUserConnected: v.tuple([v.string()]),
  OnUserMatched: v.tuple([roleSchema, v.string(), v.string()]),
  OnPeerNickNameAndEmailIdReceived: v.tuple([v.string(), v.string(), v.string()]),
  OnOfferReceived: v.tuple([v.string(), v.string()]),
  OnAnswerReceived: v.tuple([v.string(), v.string()]),
  OnIceCandidate: v.tuple([v.string(), v.string()]),
  OnChatMessage: v.tuple([v.string(), v.string(), v.optional(v.string())]),
  OnUserReportingSuccessful: v.tuple([v.string()]),
  OnUserReportedByPeer: v.tuple([v.string()]),
  SessionTerminated: v.tuple([v.string()]),
} as const
type HubEvents = typeof hubEvents
export type HubEvent = keyof HubEvents
export type HubEventArguments<E extends HubEvent> = v.InferOutput<HubEvents[E]>

/** The RTCSessionDescription inside `data` of an offer or answer. */
export const descriptionSchema = v.object({
  type: v.picklist(['offer', 'answer']),
  sdp: v.pipe(v.string(), v.nonEmpty()),
})

/** The RTCIceCandidateInit inside `data` of a candidate; an empty candidate ends them. */
export const candidateSchema = v.object({
  candidate: v.string(),
  sdpMid: v.nullish(v.string()),
  sdpMLineIndex: v.nullish(v.number()),
  usernameFragment: v.nullish(v.string()),
})
export type Candidate = v.InferOutput<typeof candidateSchema>

/** A description that lacks an audio or a video section is refused on both sides. */
export function hasAudioAndVideo(sdp: string): boolean {
  return /^m=audio /m.test(sdp) && /^m=video /m.test(sdp)
}

const TRANSPORTS_MAX = 16

/** What the hub's negotiate answers, as far as a client reads it. */
export const negotiateResponseSchema = v.object({
  connectionId: v.optional(v.string()),
  connectionToken: v.optional(v.string()),
  negotiateVersion: v.optional(v.number()),
  availableTransports: v.optional(
    listOf(v.object({ transport: v.string(), transferFormats: listOf(v.string(), TRANSPORTS_MAX) }), TRANSPORTS_MAX),
  ),
  url: v.optional(v.string()),
  accessToken: v.optional(v.string()),
  error: v.optional(v.string()),
})

/** The error of a refused invocation's completion: its code, a colon, a sentence for developers. */
export function hubErrorText(code: ErrorCode, message: string): string {
  return `${code}: ${message}`
}

/** The code in a refusal or in the error of a Close, also behind the words that the client library puts first. */
export function hubErrorCode(text: string): ErrorCode {
  for (const part of text.split(': ')) {
    const code = tryParse(errorCodeSchema, part)
    if (code.success) return code.output
  }
  return 'unknown'
}
