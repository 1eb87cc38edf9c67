import type { FastifyRequest } from 'fastify'
import { addressKey } from '../../platform/http/client-address.ts'
import type { Account } from '../rules/ports.ts'

/** The caller, as the access token says; `sessionId` is the session that the login was made in, at `signedInAt`. */
export type SignedIn = { account: Account; sessionId: string; signedInAt: number }

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedIn | null
  }
}

/** The key of a rate limit: the person, or the address of a visitor. */
export function rateKey(request: FastifyRequest): string {
  return request.signedIn?.account.id ?? addressKey(request.ip)
}
