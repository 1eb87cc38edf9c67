import type { Endpoints } from '#protocol/rest.ts'
import type { EndpointGroup } from '../../platform/http/api.ts'
import type { RegisterEndpoint } from '../../platform/http/endpoint-route.ts'
import { fieldError } from '../../platform/http/problems.ts'
import type { Account } from '../rules/ports.ts'

/** The caller of a request, from the access token; `sessionId` is the id of the login session, `signedInAt` the time of the sign-in. */
export type SignedIn = { account: Account; sessionId: string; signedInAt: number }

export type UserEndpoint = RegisterEndpoint<Endpoints, SignedIn>
export type UserEndpointGroup = EndpointGroup<Endpoints, SignedIn>

export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Throws `forbidden` if an email address is given that is not the caller's own. */
export function requireOwnEmail(caller: SignedIn, field: string, email: string | undefined): void {
  if (email !== undefined && !sameAddress(caller.account.email, email))
    throw fieldError('forbidden', field, 'This is not your address')
}

/** Throws `forbidden` unless the id is that of the caller's login session. */
export function requireOwnLoginSession(caller: SignedIn, field: string, sessionId: string): void {
  if (caller.sessionId !== sessionId) throw fieldError('forbidden', field, 'This is not your session')
}
