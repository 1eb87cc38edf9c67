import * as v from 'valibot'
import type { Call, InputOf } from './rest.ts'

/** What the moderators' console and the server say to each other: a table of its own, which no user's page loads. */

/** Of both ends of a login: 12 hours at most, 30 minutes without a word. */
export const CONSOLE_SESSION_MS = 12 * 60 * 60 * 1000
export const CONSOLE_IDLE_MS = 30 * 60 * 1000

/** As it is typed at the login; case does not count. */
export const moderatorNameSchema = v.pipe(
  v.string('A name is needed'),
  v.regex(
    /^[a-z][\w.-]{1,31}$/i,
    'A name is 2 to 32 letters, digits, dots, hyphens or underscores and begins with a letter',
  ),
  v.toLowerCase(),
)

const moderatorSchema = v.object({ name: v.string(), until: v.number() })
export type Moderator = v.InferOutput<typeof moderatorSchema>

const done = v.object({ message: v.string() })

export const consoleCalls = {
  login: {
    method: 'POST',
    path: 'moderation/login',
    login: false,
    json: v.object({
      name: v.pipe(v.string(), v.maxLength(64)),
      password: v.pipe(v.string(), v.maxLength(256)),
      code: v.pipe(v.string(), v.maxLength(16)),
    }),
    /** `until` is when the login ends whatever is done, in milliseconds since 1970. */
    response: moderatorSchema,
  },
  logout: { method: 'POST', path: 'moderation/logout', login: true, response: done, again: 'repeatable' },
  whoAmI: { method: 'GET', path: 'moderation/me', login: true, response: moderatorSchema },
} as const satisfies Record<string, Call>

export type ConsoleCalls = typeof consoleCalls
export type ConsoleCallName = keyof ConsoleCalls
export type ConsoleInput<N extends ConsoleCallName> = InputOf<ConsoleCalls[N]>
export type ConsoleOutput<N extends ConsoleCallName> = v.InferOutput<ConsoleCalls[N]['response']>
