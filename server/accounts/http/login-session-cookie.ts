import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookies } from './cookies.ts'

/**
 * The session id that a browser carries, signed: the store knows a session only once it has been entered, so that visitors who
 * never come further than the first answer leave nothing behind.
 */
export function createLoginSessionCookie(cookies: Cookies, digest: (text: string) => string) {
  const sealOf = (id: string) => digest(`session ${id}`)

  return {
    /** Null where there is none, or one that this server did not give. */
    read(request: FastifyRequest): string | null {
      const [id = '', seal = ''] = (cookies.read(request, 'session') ?? '').split('.')
      const [given, expected] = [Buffer.from(seal), Buffer.from(sealOf(id))]
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : null
    },
    set(reply: FastifyReply, id: string): void {
      cookies.set(reply, 'session', `${id}.${sealOf(id)}`)
    },
  }
}
export type LoginSessionCookie = ReturnType<typeof createLoginSessionCookie>
