import { statusAfterAppeal } from '../domain/moderation.ts'
import type { Answer } from './call-route.ts'
import type { HttpDeps } from './deps.ts'
import { ownEmail } from './owner.ts'
import { fieldError } from './problems.ts'

/** Block status and appeal, and the opaque names of people never or already met. */
export function moderationRoutes(answer: Answer, { store, clock, aliasOf }: HttpDeps): void {
  answer('readBlockStatus', ({ input, caller }) => {
    ownEmail(caller, 'userEmailAddress', input.userEmailAddress)
    return { status: caller.account.status }
  })

  answer('appeal', async ({ input, caller }) => {
    ownEmail(caller, 'UserEmailAddress', input.UserEmailAddress)
    const { id, status } = caller.account
    const next = statusAfterAppeal(status)
    if (!next) throw fieldError('wrong-state', 'UserEmailAddress', `Nothing to appeal against in the state ${status}`)
    await store.accounts.setStatus(id, next, id, 'appeal', clock.now())
    return { status: next }
  })

  answer('readBlockList', async ({ input, caller }) => {
    ownEmail(caller, 'userEmailAddress', input.userEmailAddress)
    const { id } = caller.account
    return (await store.relations.blockedWith(id)).map((peer) => aliasOf(id, peer))
  })

  answer('readMatchedIds', async ({ input, caller }) => {
    ownEmail(caller, 'userEmailId', input.userEmailId)
    const { id } = caller.account
    return { matchedEmailIds: (await store.relations.metBy(id)).map((peer) => aliasOf(id, peer)) }
  })
}
