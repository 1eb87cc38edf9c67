import * as v from 'valibot'
import { listOf } from '#protocol/parse.ts'

const TRANSPORTS_MAX = 16

/** The response of the hub's negotiate, as far as a client reads it. */
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
