import { mayChat } from '#protocol/block-status.ts'
import { AppError } from '#protocol/errors.ts'
import type { Endpoints } from '#protocol/rest.ts'
import type { EndpointGroup } from '../../platform/http/api.ts'
import type { RegisterEndpoint } from '../../platform/http/endpoint-route.ts'
import { fieldError } from '../../platform/http/problems.ts'
import type { Deletions } from '../../privacy/rules/ports.ts'
import type { Account, Accounts, SignedIn } from '../rules/ports.ts'

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

/** Rejects with `blocked` or `wrong-state` unless the account may chat: status Valid or Warning, a profile, no pending deletion. */
export async function checkMayChat(
  { deletions, accounts }: { deletions: Pick<Deletions, 'pending'>; accounts: Pick<Accounts, 'nickName'> },
  { id, status }: Account,
): Promise<void> {
  if (!mayChat(status)) throw new AppError('blocked', 'This account may not chat')
  if (await deletions.pending(id)) throw new AppError('wrong-state', 'The deletion of this account was asked for')
  if ((await accounts.nickName(id)) === null) throw new AppError('wrong-state', 'A profile is needed before a chat')
}
