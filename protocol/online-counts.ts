import * as v from 'valibot'

/** The numbers that a dashboard shows. */
export const onlineCountsSchema = v.object({
  /** Users online. Not narrowed to a number: the dashboard has a fallback for a value that is no number. */
  onlineUsers: v.unknown(),
  /** Users in a call. Servers of earlier versions do not send this number. */
  talkingUsers: v.optional(v.number()),
})
export type OnlineCounts = v.InferOutput<typeof onlineCountsSchema>
