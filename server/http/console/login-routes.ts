import { VALID } from '#protocol/constants.ts'
import type { ConsoleAnswer } from './answer.ts'
import type { ConsoleDeps } from './deps.ts'
import type { ConsoleCookie } from './session-cookie.ts'

/** Of one address: every try costs the server a tenth of a second of work. */
const LOGIN_RATE = { max: 10, timeWindow: 60_000 }

export function loginRoutes(answer: ConsoleAnswer, { logins }: ConsoleDeps, cookie: ConsoleCookie): void {
  answer(
    'login',
    async ({ input, caller, reply }) => {
      const { token, moderator } = await logins.open(input)
      if (caller) await logins.close(caller)
      cookie.set(reply, token)
      return moderator
    },
    LOGIN_RATE,
  )

  answer('logout', async ({ caller, reply }) => {
    await logins.close(caller)
    cookie.clear(reply)
    return { message: VALID }
  })

  answer('whoAmI', async ({ caller: { name, until } }) => ({ name, until }))
}
