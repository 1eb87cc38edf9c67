import type { BlockState } from '#protocol/start.ts'
import type { Account } from '../../accounts/rules/ports.ts'
import type { Moderation } from '../rules/moderation.ts'
import type { Cases } from '../rules/ports.ts'

type Deps = { cases: Pick<Cases, 'notice'>; moderation: Pick<Moderation, 'blockCase'> }

/** Returns a function that resolves with an account's status, its case and its notice. */
export function createBlockState({ cases, moderation }: Deps): (account: Account) => Promise<BlockState> {
  return async ({ id, status }) => ({ status, case: await moderation.blockCase(id), notice: await cases.notice(id) })
}
