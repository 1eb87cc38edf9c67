import * as v from 'valibot'

/** The result of negotiate. */
export const negotiated = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ connectionToken: v.string(), connectionId: v.string() }),
)
/** A message of the hub. */
export const messageSchema = v.object({
  type: v.number(),
  target: v.optional(v.string()),
  arguments: v.optional(v.array(v.unknown())),
  invocationId: v.optional(v.string()),
  error: v.optional(v.string()),
})
/** The leading texts; what follows is of no interest here. */
export const textsSchema = v.tuple([v.optional(v.string(), ''), v.optional(v.string(), ''), v.optional(v.string(), '')])
