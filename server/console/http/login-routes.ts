import type { FastifyRequest } from 'fastify'
import { VALID } from '#protocol/constants.ts'
import { addressKey } from '../../platform/http/client-address.ts'
import { type ConsoleAnswer, consoleRateKey } from './answer.ts'
import type { ConsoleDeps } from './deps.ts'
import type { ConsoleCookies } from './session-cookie.ts'

/** Of one network, or of one browser that is known to be a moderator's. */
const LOGIN_RATE = { max: 10, timeWindow: 60_000 }

export function loginRoutes(answer: ConsoleAnswer, { logins }: ConsoleDeps, cookies: ConsoleCookies): void {
  const keyOf = (request: FastifyRequest) => {
    const known = logins.knownDevice(cookies.device.read(request))
    return known === null ? consoleRateKey(request) : `device ${known}`
  }

  answer(
    'login',
    async ({ input, caller, request, reply }) => {
      const from = { network: addressKey(request.ip), device: cookies.device.read(request) }
      const { token, device, moderator } = await logins.open(input, from)
      if (caller) await logins.close(caller)
      cookies.login.set(reply, token)
      cookies.device.set(reply, device)
      return moderator
    },
    { ...LOGIN_RATE, keyOf },
  )

  answer('logout', async ({ caller, reply }) => {
    await logins.close(caller)
    cookies.login.clear(reply)
    return { message: VALID }
  })

  answer('whoAmI', async ({ caller: { name, until } }) => ({ name, until }))
}
