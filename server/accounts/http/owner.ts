import { fieldError } from '../../platform/http/problems.ts'
import type { SignedIn } from './login.ts'

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
