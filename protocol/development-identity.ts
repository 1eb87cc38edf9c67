import * as v from 'valibot'

/** The message that the development sign-in popup posts to the page that opened it. */
export const developmentIdentitySchema = v.object({
  type: v.literal('development-identity'),
  /** Milliseconds since 1970. */
  sentAt: v.optional(v.number()),
  identity: v.nullable(
    v.object({
      accessToken: v.string(),
      email: v.string(),
      firstName: v.string(),
      lastName: v.string(),
      pictureUrl: v.string(),
    }),
  ),
})
