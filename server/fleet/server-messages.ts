import * as v from 'valibot'
import { recordsOf } from '#protocol/parse.ts'

/** Messages between servers. Names and `t` values stay as they are: two versions run side by side during an upgrade. */

const waitingSchema = v.object({ text: v.string(), session: v.nullable(v.string()), since: v.number() })
const connectionSchema = v.object({
  id: v.string(),
  accountId: v.string(),
  sessionId: v.string(),
  visit: v.nullable(v.string()),
  // Servers of the previous version send no region, network or origin.
  region: v.optional(v.string(), ''),
  network: v.optional(v.string(), ''),
  origin: v.optional(v.nullable(v.object({ network: v.string(), device: v.string() })), null),
  /** The connection accepts deliveries while it has no socket. */
  isStateful: v.boolean(),
  open: v.boolean(),
  order: v.number(),
})
const reasonSchema = v.object({ error: v.optional(v.string()), allowReconnect: v.optional(v.boolean()) })

export const serverMessageSchema = v.variant('t', [
  // From the server that has the connection's socket to the home server of its user.
  v.object({ t: v.literal('arrive'), line: connectionSchema, again: v.boolean() }),
  v.object({
    t: v.literal('is'),
    id: v.string(),
    state: v.picklist(['lost', 'back', 'quit', 'over']),
    /** The network of the latest socket; servers of the previous version send none. */
    network: v.optional(v.string()),
  }),
  v.object({
    t: v.literal('invoke'),
    id: v.string(),
    n: v.number(),
    target: v.string(),
    args: recordsOf(v.unknown()),
  }),
  v.object({ t: v.literal('settled'), id: v.string(), n: v.number(), delivered: v.boolean() }),
  // From the home server of a user to the server that has the connection's socket.
  v.object({ t: v.literal('event'), id: v.string(), n: v.nullable(v.number()), text: v.string() }),
  v.object({ t: v.literal('answer'), id: v.string(), n: v.number(), error: v.nullable(v.string()) }),
  v.object({ t: v.literal('close'), id: v.string(), reason: reasonSchema }),
  v.object({ t: v.literal('moved'), id: v.string(), to: v.string() }),
  // From the previous home server of a user to the new home server.
  v.object({
    t: v.literal('member'),
    account: v.string(),
    visit: v.nullable(v.string()),
    sessionId: v.nullable(v.string()),
    /** Deliveries that wait for a connection of the user. */
    waiting: recordsOf(waitingSchema),
    /** The server that has the socket of `line`. */
    at: v.string(),
    line: v.nullable(connectionSchema),
    /** Deliveries that were handed to the connection and are not acknowledged. */
    undelivered: recordsOf(v.object({ n: v.number(), ...waitingSchema.entries })),
  }),
  // Messages to all servers.
  v.object({ t: v.literal('shut'), account: v.string() }),
  // Servers of the previous version ignore this message: they remember no logins.
  v.object({ t: v.literal('changed'), account: v.string() }),
  v.object({ t: v.literal('logged-out'), account: v.string(), sessionId: v.string() }),
])
export type ServerMessage = v.InferOutput<typeof serverMessageSchema>
export type ServerMessageOf<T extends ServerMessage['t']> = Extract<ServerMessage, { t: T }>
export type ConnectionFacts = v.InferOutput<typeof connectionSchema>
export type WaitingDelivery = v.InferOutput<typeof waitingSchema>
