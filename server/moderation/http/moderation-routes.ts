import type { BlockState } from '#protocol/start.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import { requireOwnEmail } from '../../accounts/http/login.ts'
import type { AliasOf } from '../../accounts/rules/alias.ts'
import type { Account, Accounts } from '../../accounts/rules/ports.ts'
import type { Relations } from '../../matching/rules/ports.ts'
import { languageOf } from '../../platform/http/language-of.ts'
import type { Moderation } from '../rules/moderation.ts'
import type { Cases } from '../rules/ports.ts'

type ModerationHttp = {
  accounts: Pick<Accounts, 'setLanguage'>
  cases: Pick<Cases, 'seeNotice'>
  relations: Pick<Relations, 'blockedWith' | 'metBy'>
  moderation: Pick<Moderation, 'blockCase' | 'appeal'>
  aliasOf: AliasOf
  blockState: (account: Account) => Promise<BlockState>
}

/** Block status, appeal and notice, and the aliases of blocked and of earlier partners. */
export function moderationRoutes(endpoint: UserEndpoint, deps: ModerationHttp): void {
  const { accounts, cases, relations, moderation, aliasOf, blockState } = deps

  endpoint('readBlockStatus', async ({ input, caller }) => {
    requireOwnEmail(caller, 'userEmailAddress', input.userEmailAddress)
    return blockState(caller.account)
  })

  endpoint('appeal', async ({ input, caller, request }) => {
    requireOwnEmail(caller, 'UserEmailAddress', input.UserEmailAddress)
    const { id } = caller.account
    await accounts.setLanguage(id, languageOf(request))
    return { status: await moderation.appeal(id), case: await moderation.blockCase(id) }
  })

  endpoint('seeCaseNotice', async ({ input, caller }) => {
    requireOwnEmail(caller, 'UserEmailAddress', input.UserEmailAddress)
    await cases.seeNotice(caller.account.id)
  })

  endpoint('readBlockList', async ({ input, caller }) => {
    requireOwnEmail(caller, 'userEmailAddress', input.userEmailAddress)
    const { id } = caller.account
    return (await relations.blockedWith(id)).map((peer) => aliasOf(id, peer))
  })

  endpoint('readMatchedIds', async ({ input, caller }) => {
    requireOwnEmail(caller, 'userEmailId', input.userEmailId)
    const { id } = caller.account
    return { matchedEmailIds: (await relations.metBy(id)).map((peer) => aliasOf(id, peer)) }
  })
}
