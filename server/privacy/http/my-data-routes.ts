import { createHash } from 'node:crypto'
import { VALID } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { DeletionWait } from '#protocol/start.ts'
import type { Cookies } from '../../accounts/http/cookies.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import type { AliasOf } from '../../accounts/rules/alias.ts'
import { requireFreshSignIn } from '../../accounts/rules/own-logins.ts'
import { DELETION_STATUS_RATE, EXPORT_RATE } from '../../platform/http/rate-limits.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { DeletionService } from '../rules/deletion.ts'
import type { Deletions, PersonalData } from '../rules/ports.ts'

export type DeletionHttp = {
  /** The secret with which Facebook signs its requests; null if Facebook is not configured. */
  facebookSecret: string | null
  /** Returns the origin of the pages, for links; known when the server listens. */
  publicOrigin: () => string
  deletions: Deletions
  personalData: PersonalData
  clock: Clock
  aliasOf: AliasOf
  deletionService: DeletionService
  deletionWait: (accountId: string) => Promise<DeletionWait>
}

/** Returns the digest under which a code is stored; the records do not contain the code. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** The endpoints for export and deletion of a user's own data. They do not check the status: a blocked user may use them. */
export function myDataRoutes(endpoint: UserEndpoint, deps: DeletionHttp, cookies: Cookies): void {
  const { deletions, personalData, clock, aliasOf, deletionService, deletionWait } = deps

  endpoint(
    'exportData',
    async ({ caller }) => {
      requireFreshSignIn(caller, clock.now())
      const { account } = caller
      const data = await personalData.of(account.id, clock.now(), (other) => aliasOf(account.id, other))
      if (!data) throw new AppError('login-required')
      return data
    },
    EXPORT_RATE,
  )

  endpoint('deleteData', async ({ caller, reply }) => {
    requireFreshSignIn(caller, clock.now())
    const pending = await deletionService.request(caller.account.id, 'user')
    cookies.clear(reply, 'access', 'refresh', 'profile')
    return pending
  })

  endpoint('readDeletion', ({ caller: { account } }) => deletionWait(account.id))

  endpoint('keepData', async ({ caller: { account } }) => {
    if (await deletions.cancel(account.id, clock.now())) return { message: VALID }
    if (await deletions.pending(account.id))
      throw new AppError('wrong-state', 'The law asks us to keep these data apart for now')
    // A repeated request: the deletion is cancelled already.
    return { message: VALID }
  })

  endpoint(
    'readDeletionStatus',
    async ({ input }) => {
      const state = await deletions.stateOf(digestOf(input.code))
      if (!state) throw new AppError('not-found')
      return { state }
    },
    DELETION_STATUS_RATE,
  )
}
