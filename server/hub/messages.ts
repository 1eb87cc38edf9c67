import * as v from 'valibot'
import { HUB_DEPTH_LIMIT } from '#protocol/constants.ts'
import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import { listOf, tryParse } from '#protocol/parse.ts'

/** The messages of the JSON hub protocol, versions 1 and 2, in both directions. */

/** The last character of every message. */
const RECORD_SEPARATOR = '\u001e'

export type Invocation = {
  target: string
  arguments: unknown[]
  /** Null when the client wants no completion. */
  id: string | null
  /** The client uses a stream; no hub method accepts a stream. */
  streams: boolean
}
export type Incoming =
  | { kind: 'invocation'; invocation: Invocation }
  | { kind: 'counted' | 'ping' | 'close' | 'nothing' }
  | { kind: 'ack' | 'sequence'; id: number }

/** Longest list of streams; no hub method takes a stream, and a longer list is malformed. */
const STREAMS_MAX = 16

const handshakeSchema = v.object({ protocol: v.string(), version: v.pipe(v.number(), v.integer()) })
const typedSchema = v.object({ type: v.pipe(v.number(), v.integer()) })
const argumentsSchema = v.custom<unknown[]>(Array.isArray)
const invocationSchema = v.pipe(
  v.object({
    target: v.string(),
    arguments: argumentsSchema,
    invocationId: v.nullish(v.string()),
    streamIds: v.nullish(listOf(v.string(), STREAMS_MAX)),
  }),
  v.transform(({ target, arguments: args, invocationId: id, streamIds }): Incoming => {
    const streams = streamIds ? streamIds.length > 0 : false
    return { kind: 'invocation', invocation: { target, arguments: args, id: id ?? null, streams } }
  }),
)
const streamInvocationSchema = v.pipe(
  v.object({ target: v.string(), arguments: argumentsSchema, invocationId: v.string() }),
  v.transform(({ target, arguments: args, invocationId: id }): Incoming => {
    return { kind: 'invocation', invocation: { target, arguments: args, id, streams: true } }
  }),
)
const closeSchema = v.pipe(
  v.object({ error: v.nullish(v.string()) }),
  v.transform((): Incoming => ({ kind: 'close' })),
)
/** An id that is no number becomes NaN, which the connection refuses. */
const sequenceSchema = (kind: 'ack' | 'sequence') =>
  v.pipe(
    v.object({ sequenceId: v.fallback(v.number(), Number.NaN) }),
    v.transform(({ sequenceId: id }): Incoming => ({ kind, id })),
  )
const bareSchema = (kind: 'counted' | 'ping') =>
  v.pipe(
    v.unknown(),
    v.transform((): Incoming => ({ kind })),
  )
/** Stream items, completions and cancels: not handled, but counted in the sequence of version 2. */
const countedSchema = bareSchema('counted')
/** The form of each type of message. */
const schemas = new Map<number, v.GenericSchema<unknown, Incoming>>([
  [1, invocationSchema],
  [2, countedSchema],
  [3, countedSchema],
  [4, streamInvocationSchema],
  [5, countedSchema],
  [6, bareSchema('ping')],
  [7, closeSchema],
  [8, sequenceSchema('ack')],
  [9, sequenceSchema('sequence')],
])

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** True when arrays and objects are nested in more levels than `limit`. */
export function isDeeperThan(limit: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (const one of inner) if (isDeeperThan(limit - 1, one)) return true
  return false
}

type Handshake = { version: 1 | 2 } | { fault: string }

/** Returns the requested protocol version, or why the client's first message is refused. */
export function readHandshake(text: string, isStateful: boolean): Handshake {
  const parsed = tryParse(handshakeSchema, parseJson(text))
  if (!parsed.success) return { fault: 'The first message must be a handshake.' }
  const { protocol, version } = parsed.output
  if (protocol !== 'json') return { fault: 'The only protocol is json.' }
  if (version === 1 || (version === 2 && isStateful)) return { version }
  return { fault: `The version of the protocol is 1${isStateful ? ' or 2' : ''}.` }
}

/** Returns null for a malformed message, and `nothing` for an unknown type. */
export function parseMessage(text: string): Incoming | null {
  const value = parseJson(text)
  if (isDeeperThan(HUB_DEPTH_LIMIT, value)) return null
  // Reads the type first and applies only its schema: a schema that fails costs far more than a schema that passes.
  const typed = tryParse(typedSchema, value)
  if (!typed.success) return null
  const schema = schemas.get(typed.output.type)
  if (!schema) return { kind: 'nothing' }
  const parsed = tryParse(schema, value)
  return parsed.success ? parsed.output : null
}

export const PING = `{"type":6}${RECORD_SEPARATOR}`

/** Acknowledges the client's messages up to this id. */
export function ack(id: number): string {
  return `{"type":8,"sequenceId":${id}}${RECORD_SEPARATOR}`
}

/** Announces the id of the server's next message. */
export function sequence(id: number): string {
  return `{"type":9,"sequenceId":${id}}${RECORD_SEPARATOR}`
}

/** A handshake reply has no type. With an error, the connection ends after it. */
export function handshakeReply(error?: string): string {
  return JSON.stringify(error === undefined ? {} : { error }) + RECORD_SEPARATOR
}

/** Without an error, the invocation succeeded. No method returns a result. */
export function completion(invocationId: string, error?: string): string {
  const id = JSON.stringify(invocationId)
  if (error === undefined) return `{"type":3,"invocationId":${id}}${RECORD_SEPARATOR}`
  return `{"type":3,"invocationId":${id},"error":${JSON.stringify(error)}}${RECORD_SEPARATOR}`
}

/** Leaves out the last argument when it is undefined. */
export function event<E extends HubEvent>(target: E, args: HubEventArguments<E>): string {
  const given = args.at(-1) === undefined ? args.slice(0, -1) : args
  return `{"type":1,"target":"${target}","arguments":${JSON.stringify(given)}}${RECORD_SEPARATOR}`
}

export type CloseReason = { error?: string | undefined; allowReconnect?: boolean | undefined }

export function closeMessage({ error, allowReconnect }: CloseReason): string {
  const text = { type: 7, ...(error && { error }), ...(allowReconnect && { allowReconnect }) }
  return JSON.stringify(text) + RECORD_SEPARATOR
}
