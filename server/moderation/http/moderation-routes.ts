import { VALID } from '#protocol/constants.ts'
import { languageOf } from '../../accounts/http/language-of.ts'
import { requireOwnEmail } from '../../accounts/http/owner.ts'
import type { Answer } from '../../platform/http/call-route.ts'
import type { HttpDeps } from '../../platform/http/deps.ts'

/** Block status and appeal, and the opaque names of people never or already met. */
export function moderationRoutes(answer: Answer, { store, moderation, aliasOf }: HttpDeps): void {
  answer('readBlockStatus', async ({ input, caller }) => {
    requireOwnEmail(caller, 'userEmailAddress', input.userEmailAddress)
    const { id, status } = caller.account
    return { status, case: await moderation.blockCase(id), notice: await store.cases.notice(id) }
  })

  answer('appeal', async ({ input, caller, request }) => {
    requireOwnEmail(caller, 'UserEmailAddress', input.UserEmailAddress)
    const { id } = caller.account
    await store.accounts.setLanguage(id, languageOf(request))
    return { status: await moderation.appeal(id), case: await moderation.blockCase(id) }
  })

  answer('seeCaseNotice', async ({ input, caller }) => {
    requireOwnEmail(caller, 'UserEmailAddress', input.UserEmailAddress)
    await store.cases.seeNotice(caller.account.id)
    return { message: VALID }
  })

  answer('readBlockList', async ({ input, caller }) => {
    requireOwnEmail(caller, 'userEmailAddress', input.userEmailAddress)
    const { id } = caller.account
    return (await store.relations.blockedWith(id)).map((peer) => aliasOf(id, peer))
  })

  answer('readMatchedIds', async ({ input, caller }) => {
    requireOwnEmail(caller, 'userEmailId', input.userEmailId)
    const { id } = caller.account
    return { matchedEmailIds: (await store.relations.metBy(id)).map((peer) => aliasOf(id, peer)) }
  })
}
