import type { FastifyRequest } from 'fastify'
import { addressKey } from '../../platform/http/client-address.ts'
import type { Account } from '../rules/ports.ts'

/** The caller of a request, from the access token; `sessionId` is the id of the login session, `signedInAt` the time of the sign-in. */
export type SignedIn = { account: Account; sessionId: string; signedInAt: number }

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedIn | null
  }
}

/** Returns the key of a rate limit: the account id, or the network address of a caller without a login. */
export function rateKey(request: FastifyRequest): string {
  return request.signedIn?.account.id ?? addressKey(request.ip)
}
