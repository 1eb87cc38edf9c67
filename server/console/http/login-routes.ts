import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_LOGIN_SESSION_MS, type ConsoleEndpoints } from '#protocol/console.ts'
import type { RegisterEndpoint } from '../../platform/http/endpoint-route.ts'
import { byNetwork } from '../../platform/http/rate-limits.ts'
import { KNOWN_DEVICE_MS } from '../rules/known-devices.ts'
import type { ModeratorLogins } from '../rules/moderator-logins.ts'
import type { ConsoleCaller } from '../rules/ports.ts'

export type ConsoleEndpoint = RegisterEndpoint<ConsoleEndpoints, ConsoleCaller>

/** Attempts to log in, from one network or from one known device. */
const LOGIN_RATE = { max: 10, timeWindow: 60_000 }

/** Rate-limit key: the moderator, or the network for a request without a login. */
export function byModerator(request: FastifyRequest): string {
  return request.callerId === null ? byNetwork(request) : `moderator ${request.callerId}`
}

/** A cookie that browsers do not send with requests from other sites. */
function createCookie(secure: boolean, plainName: string, lifetimeMs: number) {
  const name = secure ? `__Host-${plainName}` : plainName
  const options: CookieSerializeOptions = { httpOnly: true, sameSite: 'strict', secure, path: '/' }
  return {
    /** Returns undefined for a missing or empty cookie. */
    read: (request: FastifyRequest): string | undefined => request.cookies[name] || undefined,
    set(reply: FastifyReply, token: string): void {
      reply.setCookie(name, token, { ...options, maxAge: lifetimeMs / 1000 })
    },
    clear(reply: FastifyReply): void {
      reply.clearCookie(name, options)
    },
  }
}

export function createConsoleCookies(secure: boolean) {
  return {
    login: createCookie(secure, 'moderator', CONSOLE_LOGIN_SESSION_MS),
    device: createCookie(secure, 'moderator-device', KNOWN_DEVICE_MS),
  }
}

export function loginRoutes(
  endpoint: ConsoleEndpoint,
  logins: Pick<ModeratorLogins, 'knownDevice' | 'open' | 'close'>,
  cookies: ReturnType<typeof createConsoleCookies>,
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
  })

  endpoint('whoAmI', async ({ caller: { name, until } }) => ({ name, until }))
}
