import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookies } from './cookies.ts'

/**
 * Reads and sets the cookie that holds a login session's id with its signature. The signature proves that the server issued the id,
 * so that a login session is stored when it is entered, not at the first request of a visitor.
 */
export function createLoginSessionCookie(cookies: Cookies, digest: (text: string) => string) {
  const signatureOf = (id: string) => digest(`session ${id}`)

  return {
    /** Returns null without a cookie, and for an id that the server did not sign. */
    read(request: FastifyRequest): string | null {
      const [id = '', signature = ''] = (cookies.read(request, 'session') ?? '').split('.')
      const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(id))]
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : null
    },
    set(reply: FastifyReply, id: string): void {
      cookies.set(reply, 'session', `${id}.${signatureOf(id)}`)
    },
  }
}
export type LoginSessionCookie = ReturnType<typeof createLoginSessionCookie>
