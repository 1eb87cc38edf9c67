import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_LOGIN_SESSION_MS } from '#protocol/console.ts'
import { KNOWN_DEVICE_MS } from '../rules/known-devices.ts'

/** Lifetimes of the cookies of the login session and of known devices, in milliseconds. Requests from other sites carry neither. */
const lifetimes = { moderator: CONSOLE_LOGIN_SESSION_MS, 'moderator-device': KNOWN_DEVICE_MS }

function createCookie(secure: boolean, plainName: keyof typeof lifetimes) {
  const name = secure ? `__Host-${plainName}` : plainName
  const options: CookieSerializeOptions = { httpOnly: true, sameSite: 'strict', secure, path: '/' }
  return {
    /** Returns undefined for a missing or empty cookie. */
    read: (request: FastifyRequest): string | undefined => request.cookies[name] || undefined,
    set(reply: FastifyReply, token: string): void {
      reply.setCookie(name, token, { ...options, maxAge: lifetimes[plainName] / 1000 })
    },
    clear(reply: FastifyReply): void {
      reply.clearCookie(name, options)
    },
  }
}

export function createConsoleCookies(secure: boolean) {
  return { login: createCookie(secure, 'moderator'), device: createCookie(secure, 'moderator-device') }
}
export type ConsoleCookies = ReturnType<typeof createConsoleCookies>
