import * as v from 'valibot'
import { HUB_DEPTH_LIMIT } from '#protocol/constants.ts'
import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import { listOf, tryParse } from '#protocol/parse.ts'
import { RECORD_SEPARATOR } from './framing.ts'

/** The messages of the JSON hub protocol, versions 1 and 2, in both directions. */

const handshakeSchema = v.object({ protocol: v.string(), version: v.pipe(v.number(), v.integer()) })
const invocationIdSchema = v.nullish(v.string())

const argumentsSchema = v.custom<unknown[]>(Array.isArray)

/** No method takes a stream: a longer list is no message of an honest client. */
const STREAMS_MAX = 16

const invocationSchema = v.object({
  type: v.literal(1),
  target: v.string(),
  arguments: argumentsSchema,
  invocationId: invocationIdSchema,
  streamIds: v.nullish(listOf(v.string(), STREAMS_MAX)),
})
const otherSchema = v.variant('type', [
  v.object({ type: v.literal(4), target: v.string(), arguments: argumentsSchema, invocationId: v.string() }),
  v.object({ type: v.literal(6) }),
  v.object({ type: v.literal(7), error: v.nullish(v.string()) }),
])
/** Messages of version 2 about others: a number that makes no sense is the connection's to judge. */
const sequenceSchema = v.object({ type: v.picklist([8, 9]), sequenceId: v.fallback(v.number(), Number.NaN) })
const typedSchema = v.object({ type: v.pipe(v.number(), v.integer()) })
const knownTypes = new Set([1, 4, 6, 7])
/** Stream items, completions and cancels: nothing to do here, but they count in the sequence of version 2. */
const countedTypes = new Set([2, 3, 5])

export type Invocation = {
  target: string
  arguments: unknown[]
  /** Null when the caller wants no reply. */
  id: string | null
  streams: boolean
}
export type Incoming =
  | { kind: 'invocation'; invocation: Invocation }
  | { kind: 'counted' | 'ping' | 'close' | 'nothing' }
  | { kind: 'ack' | 'sequence'; id: number }

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

/** The version that the first message of a client asks for, or why it is no handshake for this connection. */
export function readHandshake(text: string, isStateful: boolean): Handshake {
  const parsed = tryParse(handshakeSchema, parseJson(text))
  if (!parsed.success) return { fault: 'The first message must be a handshake.' }
  const { protocol, version } = parsed.output
  if (protocol !== 'json') return { fault: 'The only protocol is json.' }
  if (version === 1 || (version === 2 && isStateful)) return { version }
  return { fault: `The version of the protocol is 1${isStateful ? ' or 2' : ''}.` }
}

/** Null for a malformed message; 'nothing' is a kind that no version knows. */
export function parseMessage(text: string): Incoming | null {
  const value = parseJson(text)
  if (isDeeperThan(HUB_DEPTH_LIMIT, value)) return null
  const invocation = tryParse(invocationSchema, value)
  if (invocation.success) {
    const { target, arguments: args, invocationId, streamIds } = invocation.output
    const streams = streamIds ? streamIds.length > 0 : false
    return { kind: 'invocation', invocation: { target, arguments: args, id: invocationId ?? null, streams } }
  }
  const sequence = tryParse(sequenceSchema, value)
  if (sequence.success) {
    const { type, sequenceId } = sequence.output
    return { kind: type === 8 ? 'ack' : 'sequence', id: sequenceId }
  }
  const other = tryParse(otherSchema, value)
  if (!other.success) {
    const typed = tryParse(typedSchema, value)
    if (!typed.success || knownTypes.has(typed.output.type)) return null
    return { kind: countedTypes.has(typed.output.type) ? 'counted' : 'nothing' }
  }
  const message = other.output
  switch (message.type) {
    case 4: {
      const { target, arguments: args, invocationId } = message
      return { kind: 'invocation', invocation: { target, arguments: args, id: invocationId, streams: true } }
    }
    case 6:
      return { kind: 'ping' }
    case 7:
      return { kind: 'close' }
  }
}

export const PING = `{"type":6}${RECORD_SEPARATOR}`

/** All messages of the client up to this one have been handled. */
export function ack(id: number): string {
  return `{"type":8,"sequenceId":${id}}${RECORD_SEPARATOR}`
}

/** The next message from here has this id. */
export function sequence(id: number): string {
  return `{"type":9,"sequenceId":${id}}${RECORD_SEPARATOR}`
}

/** A handshake reply never has a type; an error in it is followed by the end of the connection. */
export function handshakeReply(error?: string): string {
  return JSON.stringify(error === undefined ? {} : { error }) + RECORD_SEPARATOR
}

/** Without an error: done, with no value. */
export function completion(invocationId: string, error?: string): string {
  const id = JSON.stringify(invocationId)
  if (error === undefined) return `{"type":3,"invocationId":${id}}${RECORD_SEPARATOR}`
  return `{"type":3,"invocationId":${id},"error":${JSON.stringify(error)}}${RECORD_SEPARATOR}`
}

/** An optional last argument that is missing is left out. */
export function event<E extends HubEvent>(target: E, args: HubEventArguments<E>): string {
  const given = args.at(-1) === undefined ? args.slice(0, -1) : args
  return `{"type":1,"target":"${target}","arguments":${JSON.stringify(given)}}${RECORD_SEPARATOR}`
}

export type CloseReason = { error?: string; allowReconnect?: boolean }

export function closeMessage({ error, allowReconnect }: CloseReason): string {
  const text = { type: 7, ...(error && { error }), ...(allowReconnect && { allowReconnect }) }
  return JSON.stringify(text) + RECORD_SEPARATOR
}
