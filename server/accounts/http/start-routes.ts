import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatSessionCookie, parseProfileCookie } from '#protocol/cookies.ts'
import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { BlockState, DeletionWait } from '#protocol/start.ts'
import { START_RATE } from '../../platform/http/rate-limits.ts'
import type { FindCaller } from '../login-checks.ts'
import type { SignedIn } from '../rules/ports.ts'
import type { AccountHttp } from './deps.ts'
import type { UserEndpoint } from './login.ts'
import { createReadLoginSession } from './login-session-routes.ts'
import { createReadConfirmedProfile } from './profile-routes.ts'

/** The parts of the response to `readStart` that come from other features. */
export type StartSources = {
  blockState: (account: SignedIn['account']) => Promise<BlockState>
  deletionWait: (accountId: string) => Promise<DeletionWait>
  onlineCounts: () => OnlineCounts
}

type Login = { profile: string | null; account: SignedIn['account'] | null }

/** Registers `readStart`, one request that replaces several of older browsers: session, profile, validation, refresh. */
export function startRoutes(
  endpoint: UserEndpoint,
  deps: AccountHttp,
  { sources, findCaller }: { sources: StartSources; findCaller: FindCaller },
): void {
  const { clock, cookies, presentedLogin } = deps
  const readLoginSession = createReadLoginSession(deps)
  const readConfirmedProfile = createReadConfirmedProfile(deps)

  async function refreshedCaller(request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null> {
    const rotation = await presentedLogin.refresh(request, reply)
    return rotation && findCaller({ ...rotation, issuedAt: clock.now() })
  }

  /** True if the cookies are of different logins: the response would describe one user and set the cookies of another. */
  async function areOfSeveral(sessionId: string, valid: SignedIn | null, request: FastifyRequest): Promise<boolean> {
    const owner = await presentedLogin.owner(request)
    if (valid && owner && valid.account.id !== owner.accountId) return true
    return [valid, owner].some((login) => login !== null && login.sessionId !== sessionId)
  }

  /** `account` is null unless the login is valid and refreshed, and the profile is confirmed in this browser. */
  async function readLogin(valid: SignedIn | null, request: FastifyRequest, reply: FastifyReply): Promise<Login> {
    const caller = valid ?? (await refreshedCaller(request, reply))
    if (!caller) return { profile: null, account: null }
    const profile = await readConfirmedProfile(caller.account, request)
    if (!parseProfileCookie(profile)) return { profile, account: null }
    const isRefreshed = !valid || (await presentedLogin.refresh(request, reply)) !== null
    return { profile, account: isRefreshed ? caller.account : null }
  }

  endpoint(
    'readStart',
    async ({ caller, request, reply }) => {
      const session = await readLoginSession(request, reply)
      const isNew = session.type === 'new'
      const isMixed = !isNew && (await areOfSeveral(session.id, caller, request))
      if (isMixed) cookies.clear(reply, 'access', 'refresh', 'profile')
      const { profile, account } =
        isNew || isMixed ? { profile: null, account: null } : await readLogin(caller, request, reply)
      const [block, deletion] = account
        ? await Promise.all([sources.blockState(account), sources.deletionWait(account.id)])
        : [null, null]
      return {
        timestamp: clock.now(),
        session: formatSessionCookie(session),
        wantsEntry: isNew,
        profile,
        isSignedIn: account !== null,
        block,
        deletion,
        ...sources.onlineCounts(),
      }
    },
    START_RATE,
  )
}
