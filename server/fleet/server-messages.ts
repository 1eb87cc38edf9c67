import * as v from 'valibot'
import { recordsOf } from '#protocol/parse.ts'

/** What servers write to each other about connections of one and users of the other. */

const waitingSchema = v.object({ text: v.string(), session: v.nullable(v.string()), since: v.number() })
const lineSchema = v.object({
  id: v.string(),
  accountId: v.string(),
  sessionId: v.string(),
  visit: v.nullable(v.string()),
  // A server of the version before does not tell.
  region: v.optional(v.string(), ''),
  /** It takes deliveries also while it has no socket. */
  isStateful: v.boolean(),
  open: v.boolean(),
  order: v.number(),
})
const reasonSchema = v.object({ error: v.optional(v.string()), allowReconnect: v.optional(v.boolean()) })

export const serverMessageSchema = v.variant('t', [
  // From the server of a connection to the home of its user.
  v.object({ t: v.literal('arrive'), line: lineSchema, again: v.boolean() }),
  v.object({ t: v.literal('is'), id: v.string(), state: v.picklist(['lost', 'back', 'quit', 'over']) }),
  v.object({
    t: v.literal('invoke'),
    id: v.string(),
    n: v.number(),
    target: v.string(),
    args: recordsOf(v.unknown()),
  }),
  v.object({ t: v.literal('settled'), id: v.string(), n: v.number(), delivered: v.boolean() }),
  // From the home of a user to the server of the connection.
  v.object({ t: v.literal('event'), id: v.string(), n: v.nullable(v.number()), text: v.string() }),
  v.object({ t: v.literal('answer'), id: v.string(), n: v.number(), error: v.nullable(v.string()) }),
  v.object({ t: v.literal('close'), id: v.string(), reason: reasonSchema }),
  v.object({ t: v.literal('moved'), id: v.string(), to: v.string() }),
  // From the earlier home of a user to the new one.
  v.object({
    t: v.literal('member'),
    account: v.string(),
    visit: v.nullable(v.string()),
    sessionId: v.nullable(v.string()),
    waiting: recordsOf(waitingSchema),
    at: v.string(),
    line: v.nullable(lineSchema),
    /** What was handed to the line and has not arrived. */
    undelivered: recordsOf(v.object({ n: v.number(), ...waitingSchema.entries })),
  }),
  // To everybody.
  v.object({ t: v.literal('shut'), account: v.string() }),
  v.object({ t: v.literal('logged-out'), account: v.string(), sessionId: v.string() }),
])
export type ServerMessage = v.InferOutput<typeof serverMessageSchema>
export type ServerMessageOf<T extends ServerMessage['t']> = Extract<ServerMessage, { t: T }>
export type ConnectionFacts = v.InferOutput<typeof lineSchema>
export type Waiting = v.InferOutput<typeof waitingSchema>
