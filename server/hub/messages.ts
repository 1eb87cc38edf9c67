import * as v from 'valibot'
import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import { RECORD_SEPARATOR } from './framing.ts'

/** The messages of the JSON hub protocol, version 1, in both directions. */

const handshakeSchema = v.object({ protocol: v.string(), version: v.pipe(v.number(), v.integer()) })
const invocationIdSchema = v.nullish(v.string())

const argumentsSchema = v.custom<unknown[]>(Array.isArray)

const invocationSchema = v.object({
  type: v.literal(1),
  target: v.string(),
  arguments: argumentsSchema,
  invocationId: invocationIdSchema,
  streamIds: v.nullish(v.array(v.string())),
})
const otherSchema = v.variant('type', [
  v.object({ type: v.literal(4), target: v.string(), arguments: argumentsSchema, invocationId: v.string() }),
  v.object({ type: v.literal(6) }),
  v.object({ type: v.literal(7), error: v.nullish(v.string()) }),
])
const typedSchema = v.object({ type: v.pipe(v.number(), v.integer()) })
const knownTypes = new Set([1, 4, 6, 7])

export type Invocation = {
  target: string
  arguments: unknown[]
  /** Null when the caller wants no reply. */
  id: string | null
  streams: boolean
}
export type Incoming = { kind: 'invocation'; invocation: Invocation } | { kind: 'close' } | { kind: 'nothing' }

const nothing: Incoming = { kind: 'nothing' }

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Why the first message of a client is no handshake for this server; null when it is one. */
export function handshakeFault(text: string): string | null {
  const parsed = v.safeParse(handshakeSchema, parseJson(text))
  if (!parsed.success) return 'The first message must be a handshake.'
  if (parsed.output.protocol !== 'json') return 'The only protocol is json.'
  return parsed.output.version === 1 ? null : 'The only version of the protocol is 1.'
}

/** Null for a malformed message. Pings, and kinds that this server has no use for, are 'nothing'. */
export function parseMessage(text: string): Incoming | null {
  const value = parseJson(text)
  const invocation = v.safeParse(invocationSchema, value)
  if (invocation.success) {
    const { target, arguments: args, invocationId, streamIds } = invocation.output
    const streams = streamIds ? streamIds.length > 0 : false
    return { kind: 'invocation', invocation: { target, arguments: args, id: invocationId ?? null, streams } }
  }
  const other = v.safeParse(otherSchema, value)
  if (!other.success) {
    const typed = v.safeParse(typedSchema, value)
    return typed.success && !knownTypes.has(typed.output.type) ? nothing : null
  }
  const message = other.output
  switch (message.type) {
    case 4: {
      const { target, arguments: args, invocationId } = message
      return { kind: 'invocation', invocation: { target, arguments: args, id: invocationId, streams: true } }
    }
    case 6:
      return nothing
    case 7:
      return { kind: 'close' }
  }
}

export const PING = `{"type":6}${RECORD_SEPARATOR}`

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
