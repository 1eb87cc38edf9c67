import { DAY_MS, MINUTE_MS } from '#protocol/durations.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { LoginSessions, RefreshToken, RefreshTokens } from './login-ports.ts'
import { type EndLogin, LOGIN_MS, type Login, type SignedLogin } from './login-ports.ts'

export const ACCESS_TOKEN_MS = 15 * MINUTE_MS
export const HUB_TOKEN_MS = 5 * MINUTE_MS
export const REFRESH_TOKEN_MS = 30 * DAY_MS
/**
 * Grace period after a rotation, in which the used token yields its successor: two tabs that refresh at the same time
 * get the same new token.
 */
export const REFRESH_GRACE_MS = 30_000

/** From where a refresh token is presented: the network (/24 or /48) of the request, and its User-Agent. */
export type RefreshOrigin = { network: string; device: string }

export interface TokenTools {
  make(): string
  digest(token: string): string
  seal(token: string, key: string): string
  open(sealed: string, key: string): string
}

export type Rotation = SignedLogin & { token: string }

type Deps = {
  refreshTokens: Pick<RefreshTokens, 'find' | 'rotate' | 'setCrossed' | 'revokeFamily'>
  loginSessions: Pick<LoginSessions, 'find' | 'open'>
  endLogin: EndLogin
  tools: TokenTools
  clock: Clock
  newId: () => string
  /** Called when a used token is presented again by another browser or after its grace period. */
  onReuse?: (accountId: string) => void
}

/** Returns digests of network and device. They differ from token to token, and only a holder of the token can compare them. */
function digestsOf(token: string, { network, device }: RefreshOrigin, { digest }: TokenTools) {
  return {
    usedNetwork: digest(`network ${network} of ${token}`),
    usedDevice: digest(`device ${device} of ${token}`),
  }
}

/** Returns in how many of network and device `origin` differs from the use of the token. Tokens from before migration 026 have neither. */
function countDifferences(token: string, used: RefreshToken, origin: RefreshOrigin, tools: TokenTools): number {
  const own = digestsOf(token, origin, tools)
  const differs = (name: keyof typeof own) => used[name] !== null && used[name] !== own[name]
  return Number(differs('usedNetwork')) + Number(differs('usedDevice'))
}

export type RefreshTokenIssuer = ReturnType<typeof createRefreshTokenIssuer>

/** Issues refresh tokens and rotates them at every use; the reuse of a token ends the login. */
export function createRefreshTokenIssuer(deps: Deps) {
  const { refreshTokens, loginSessions, endLogin, tools, clock, newId, onReuse } = deps

  function record(token: string, family: string, { accountId, sessionId, signedInAt }: SignedLogin): RefreshToken {
    const expiresAt = Math.min(clock.now() + REFRESH_TOKEN_MS, signedInAt + LOGIN_MS)
    const unused = { usedAt: null, successor: null, usedNetwork: null, usedDevice: null, isCrossed: 0 }
    return { digest: tools.digest(token), family, accountId, sessionId, expiresAt, ...unused }
  }

  async function findLive(token: string): Promise<RefreshToken | null> {
    const row = await refreshTokens.find(tools.digest(token))
    return row && row.expiresAt > clock.now() ? row : null
  }

  /** Resolves with null if the login of the token is over. */
  async function loginOf({ accountId, sessionId }: RefreshToken): Promise<SignedLogin | null> {
    const loginSession = await loginSessions.find(sessionId)
    return loginSession?.accountId === accountId ? { accountId, sessionId, signedInAt: loginSession.signedInAt } : null
  }

  /**
   * Follows the successors of a used token to the unused one. Resolves with 'reused' if another browser presents the
   * token: once from another network with another device, or twice from an origin that differs in one of them.
   */
  async function unusedSuccessor(first: string, used: RefreshToken, origin: RefreshOrigin) {
    let token = first
    let row: RefreshToken | null = used
    let isCrossing = false
    while (row?.successor) {
      const count = countDifferences(token, row, origin, tools)
      if (count > 1 || (count === 1 && row.isCrossed !== 0)) return 'reused'
      isCrossing ||= count === 1
      token = tools.open(row.successor, token)
      row = await findLive(token)
    }
    const login = row && (await loginOf(row))
    if (row && isCrossing) await refreshTokens.setCrossed(row.digest)
    return login && { token, ...login }
  }

  async function presentedAgain(token: string, used: RefreshToken, origin: RefreshOrigin): Promise<Rotation | null> {
    const isLate = used.usedAt !== null && clock.now() - used.usedAt > REFRESH_GRACE_MS
    const found = isLate ? 'reused' : await unusedSuccessor(token, used, origin)
    if (found !== 'reused') return found
    onReuse?.(used.accountId)
    await endLogin({ accountId: used.accountId, sessionId: used.sessionId })
    return null
  }

  return {
    /** Opens a login, which ends an earlier one of this login session, and resolves with its first token. */
    async open({ accountId, sessionId }: Login): Promise<Rotation> {
      const token = tools.make()
      const login = { accountId, sessionId, signedInAt: clock.now() }
      await loginSessions.open(record(token, newId(), login), login.signedInAt)
      return { token, ...login }
    },

    /** Resolves with null for a token that is unknown, expired, revoked or reused. */
    async rotate(token: string, origin: RefreshOrigin): Promise<Rotation | null> {
      const row = await findLive(token)
      if (!row) return null
      if (row.usedAt !== null) return presentedAgain(token, row, origin)
      const login = await loginOf(row)
      if (!login) return null
      const next = tools.make()
      const successor = record(next, row.family, login)
      const use = { successor: tools.seal(next, token), usedAt: clock.now(), ...digestsOf(token, origin, tools) }
      const outcome = await refreshTokens.rotate(row.digest, use, successor)
      if (outcome === 'ended') return null
      if (outcome === 'rotated') return { token: next, ...login }
      const lost = await findLive(token)
      return lost && presentedAgain(token, lost, origin)
    },

    /**
     * Resolves with true for a token of a login that goes on, whether the token is used or not: a thief must not learn
     * when the owner refreshes.
     */
    isKnown: async (token: string): Promise<boolean> => (await findLive(token)) !== null,

    /** Resolves with the login of a token, used or unused; null for an unknown token. */
    async ownerOf(token: string): Promise<Login | null> {
      const row = await refreshTokens.find(tools.digest(token))
      return row && { accountId: row.accountId, sessionId: row.sessionId }
    },

    async revoke(token: string): Promise<void> {
      const row = await refreshTokens.find(tools.digest(token))
      if (row) await refreshTokens.revokeFamily(row.family)
    },
  }
}
