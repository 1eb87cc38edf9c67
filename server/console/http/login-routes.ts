import type { FastifyRequest } from 'fastify'
import { VALID } from '#protocol/constants.ts'
import { byNetwork } from '../../platform/http/rate-limits.ts'
import type { ModeratorLogins } from '../rules/moderator-logins.ts'
import { byModerator, type ConsoleEndpoint } from './console-endpoint.ts'
import type { ConsoleCookies } from './session-cookie.ts'

/** Attempts from one network, or from one browser that is known to be a moderator's. */
const LOGIN_RATE = { max: 10, timeWindow: 60_000 }

export function loginRoutes(
  endpoint: ConsoleEndpoint,
  logins: Pick<ModeratorLogins, 'knownDevice' | 'open' | 'close'>,
  cookies: ConsoleCookies,
): void {
  const keyOf = (request: FastifyRequest) => {
    const known = logins.knownDevice(cookies.device.read(request))
    return known === null ? byModerator(request) : `device ${known}`
  }

  endpoint(
    'login',
    async ({ input, caller, request, reply }) => {
      const from = { network: byNetwork(request), device: cookies.device.read(request) }
      const { token, device, moderator } = await logins.open(input, from)
      if (caller) await logins.close(caller)
      cookies.login.set(reply, token)
      cookies.device.set(reply, device)
      return moderator
    },
    { ...LOGIN_RATE, keyOf },
  )

  endpoint('logout', async ({ caller, reply }) => {
    await logins.close(caller)
    cookies.login.clear(reply)
    return { message: VALID }
  })

  endpoint('whoAmI', async ({ caller: { name, until } }) => ({ name, until }))
}
