import type { FastifyRequest } from 'fastify'
import { VALID } from '#protocol/constants.ts'
import { byNetwork } from '../../platform/http/rate-limits.ts'
import type { ModeratorLogins } from '../rules/moderator-logins.ts'
import type { ConsoleCookies } from './console-cookies.ts'
import { byModerator, type ConsoleEndpoint } from './console-endpoint.ts'

/** Attempts from one network, or from one known device. */
const LOGIN_RATE = { max: 10, timeWindow: 60_000 }

export function loginRoutes(
  endpoint: ConsoleEndpoint,
  logins: Pick<ModeratorLogins, 'knownDevice' | 'open' | 'close'>,
  cookies: ConsoleCookies,
): void {
  const keyOf = (request: FastifyRequest) => {
    const deviceId = logins.knownDevice(cookies.device.read(request))
    return deviceId === null ? byModerator(request) : `device ${deviceId}`
  }

  endpoint(
    'login',
    async ({ input, caller, request, reply }) => {
      const source = { network: byNetwork(request), device: cookies.device.read(request) }
      const { token, device, moderator } = await logins.open(input, source)
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
