import * as v from 'valibot'
import { isOneOf } from './checks.ts'
import { CHAT_MESSAGE_MAX, EXCLUSIONS_MAX, HUB_MESSAGE_LIMIT } from './constants.ts'
import { type ErrorCode, errorCodes } from './errors.ts'
import { idSchema, sessionIdSchema } from './fields.ts'
import { listOf } from './parse.ts'
import { reportDetailsSchema } from './reports.ts'

/** The contract of the hub: the methods that a client may invoke and the events that the server sends, each with its argument tuple. */

const roleSchema = v.picklist(['Caller', 'Callee'])
/** The Caller makes the offer, the Callee the answer. Each side reports when it sees the picture of the other side. */
export type Role = v.InferOutput<typeof roleSchema>

export const reportTypeSchema = v.picklist(['ReportOnly', 'BlockAndReport'], 'type: it is ReportOnly or BlockAndReport')
export type ReportType = v.InferOutput<typeof reportTypeSchema>

const connectionIdSchema = idSchema('A connection id')
/** The longest message in base64: a UTF-16 unit has at most three bytes of UTF-8, and three bytes are four characters of base64. */
const chatTextSchema = v.pipe(
  v.string('A message is text'),
  v.nonEmpty('A message is not empty'),
  v.maxLength(CHAT_MESSAGE_MAX * 4 + 4, `A message has at most ${CHAT_MESSAGE_MAX} characters`),
)
/** Null if the client left out the argument. */
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
/** A client's nickname or address. The server ignores it and reads its own records. */
const ignoredSchema = v.nullish(v.pipe(v.string(), v.maxLength(512)))

/** The client's exclusion list, as JSON text. Only its shape is checked: the server excludes by its own records. */
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

/** How often one connection may invoke the methods of each kind: `burst` at once, `perSecond` in the long run. */
export const hubMethodRates = {
  chat: { perSecond: 20, burst: 100 },
  descriptions: { perSecond: 2, burst: 30 },
  signalling: { perSecond: 50, burst: 300 },
  joins: { perSecond: 2, burst: 20 },
  typing: { perSecond: 1, burst: 10 },
  control: { perSecond: 5, burst: 30 },
}
export type HubMethodRate = keyof typeof hubMethodRates

/** Time limit of all methods but `SendChatMessageToPeer`. */
const TIME_LIMIT_MS = 15_000
/** `CHAT_DELIVERY_MS` longer: the hub holds a chat message while it waits for a peer whose connection dropped. */
const CHAT_TIME_LIMIT_MS = 25_000

/**
 * What the client does with an invocation while its connection is lost. `reject` rejects it at once. Otherwise the
 * invocation waits and is sent again on the next connection. It waits until the client gives up connecting
 * (`connection`), the match ends (`match`) or the visit ends (`visit`).
 */
export type WhileAway = 'reject' | 'connection' | 'match' | 'visit'

/**
 * A method that a client may invoke: the rate limit that counts it, and the schemas of its arguments. `timeLimitMs` is how long the client
 * waits for the completion. The annotation keeps the table out of a bundle that uses only its types.
 */
/* @__NO_SIDE_EFFECTS__ */
function method<R extends HubMethodRate, W extends WhileAway, const A extends v.TupleItems>(
  rate: R,
  whileAway: W,
  ...schemas: A
) {
  return { arguments: v.tuple(schemas), rate, whileAway, timeLimitMs: TIME_LIMIT_MS } as const
}

/** Every method of the hub, by name. The browser uses the types only; the bundle does not contain the table. */
export const hubMethods = {
  InitiateMatchingWithPeers: method('joins', 'reject', connectionIdSchema, exclusionsSchema),
  HandleUserNickNameAndUserEmailIdToPeer: method('control', 'match', connectionIdSchema, ignoredSchema, ignoredSchema),
  HandleOffer: method('descriptions', 'match', sessionIdSchema, connectionIdSchema, descriptionTextSchema),
  HandleAnswer: method('descriptions', 'match', sessionIdSchema, connectionIdSchema, descriptionTextSchema),
  HandleIceCandidate: method('signalling', 'match', sessionIdSchema, connectionIdSchema, candidateTextSchema),
  SendChatMessageToPeer: {
    arguments: v.tuple([sessionIdSchema, connectionIdSchema, chatTextSchema, messageIdSchema]),
    rate: 'chat',
    whileAway: 'connection',
    timeLimitMs: CHAT_TIME_LIMIT_MS,
  },
  /** The user is typing. Carries nothing of what is typed. */
  HandleTyping: method('typing', 'reject', sessionIdSchema, connectionIdSchema),
  UpdateWebRtcConnectionSuccessStatus: method('control', 'match', sessionIdSchema),
  OnMatchedSessionTerminationRequested: method('control', 'visit', sessionIdSchema, connectionIdSchema),
  /**
   * With the match's id, a match that has ended is found from any connection. Older clients leave out this id and the
   * details; older servers ignore the details.
   */
  HandleReportedUser: method(
    'control',
    'visit',
    connectionIdSchema,
    connectionIdSchema,
    reportTypeSchema,
    v.nullish(sessionIdSchema),
    v.nullish(reportDetailsSchema),
  ),
  HandleMatchedEmailIds: method('control', 'match', ignoredSchema, sessionIdSchema),
} as const
export type HubMethods = typeof hubMethods
export type HubMethod = keyof HubMethods
/** Makes the last arguments optional if they may be undefined. */
type WithOptionalLast<Arguments extends unknown[]> = Arguments extends [...infer Others, infer Last]
  ? undefined extends Last
    ? WithOptionalLast<Others> | [...Others, last: Last]
    : Arguments
  : []
/** The arguments as a client sends them. */
export type HubArguments<M extends HubMethod> = WithOptionalLast<v.InferInput<HubMethods[M]['arguments']>>
/** The arguments as the server reads them. */
export type HubParsed<M extends HubMethod> = v.InferOutput<HubMethods[M]['arguments']>

const SHARED_MAX = 5
const sharedListSchema = listOf(v.pipe(v.string(), v.maxLength(60)), SHARED_MAX)
/** What the two users of a match have in common: codes of languages, and interests. */
const sharedSchema = v.object({ languages: sharedListSchema, interests: sharedListSchema })
export type Shared = v.InferOutput<typeof sharedSchema>

/** Older servers leave out the last value. */
const queueSizeSchema: v.GenericSchema<unknown, [others: number, speaking?: number | undefined]> = v.tuple([
  v.number(),
  v.optional(v.number()),
])
const matchedSchema: v.GenericSchema<
  unknown,
  [role: Role, matchId: string, peerConnectionId: string, shared?: Shared | undefined]
> = v.tuple([roleSchema, v.string(), v.string(), v.optional(sharedSchema)])

/** Argument tuples of the events that the server sends, by event name. */
export const hubEvents = {
  OnUserConnected: v.tuple([v.string()]),
  /**
   * While this user searches: how many other users search, and how many of those speak the commonest of this user's
   * languages. The second number is left out below 10.
   */
  OnQueueSize: queueSizeSchema,
  OnUserMatched: matchedSchema,
  OnPeerNickNameAndEmailIdReceived: v.tuple([v.string(), v.string(), v.string()]),
  OnOfferReceived: v.tuple([v.string(), v.string()]),
  OnAnswerReceived: v.tuple([v.string(), v.string()]),
  OnIceCandidate: v.tuple([v.string(), v.string()]),
  OnChatMessage: v.tuple([v.string(), v.string(), v.optional(v.string())]),
  OnPeerTyping: v.tuple([v.string()]),
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

/** The RTCIceCandidateInit inside `data` of a candidate; an empty candidate means that no further one follows. */
export const candidateSchema = v.object({
  candidate: v.string(),
  sdpMid: v.nullish(v.string()),
  sdpMLineIndex: v.nullish(v.number()),
  usernameFragment: v.nullish(v.string()),
})
export type Candidate = v.InferOutput<typeof candidateSchema>

/** False for a description without an audio or a video section, which browser and server refuse. */
export function hasAudioAndVideo(sdp: string): boolean {
  return /^m=audio /m.test(sdp) && /^m=video /m.test(sdp)
}

/** The error text in the completion of a refused invocation: the code, a colon, a sentence for developers. */
export function hubErrorText(code: ErrorCode, message: string): string {
  return `${code}: ${message}`
}

const isErrorCode = isOneOf(errorCodes)

/** Returns the code in the error text of a completion or Close. The client library may put other text before the code. */
export function hubErrorCode(text: string): ErrorCode {
  for (const part of text.split(': ')) {
    if (isErrorCode(part)) return part
  }
  return 'unknown'
}
