import { mayChat } from '#protocol/block-status.ts'
import { AppError } from '#protocol/errors.ts'
import type { Deletions } from '../../privacy/rules/ports.ts'
import type { Account, Accounts } from '../rules/ports.ts'

/** Rejects with `blocked` or `wrong-state` unless the account may chat: status Valid or Warning, a profile, no pending deletion. */
export async function checkMayChat(
  { deletions, accounts }: { deletions: Pick<Deletions, 'pending'>; accounts: Pick<Accounts, 'nickName'> },
  { id, status }: Account,
): Promise<void> {
  if (!mayChat(status)) throw new AppError('blocked', 'This account may not chat')
  if (await deletions.pending(id)) throw new AppError('wrong-state', 'The deletion of this account was asked for')
  if ((await accounts.nickName(id)) === null) throw new AppError('wrong-state', 'A profile is needed before a chat')
}
