import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_SESSION_MS } from '#protocol/console.ts'

/** The cookie of a moderator's login, which no link from another site ever carries. */
export function createConsoleCookie(secure: boolean) {
  const name = secure ? '__Host-moderator' : 'moderator'
  const options: CookieSerializeOptions = { httpOnly: true, sameSite: 'strict', secure, path: '/' }
  return {
    /** Undefined where it is missing or empty. */
    read: (request: FastifyRequest): string | undefined => request.cookies[name] || undefined,
    set(reply: FastifyReply, token: string): void {
      reply.setCookie(name, token, { ...options, maxAge: CONSOLE_SESSION_MS / 1000 })
    },
    clear(reply: FastifyReply): void {
      reply.clearCookie(name, options)
    },
  }
}
export type ConsoleCookie = ReturnType<typeof createConsoleCookie>
