import { DAY_MS, MINUTE_MS } from '#protocol/durations.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { type EndLogin, LOGIN_MS, type Login, type SignedLogin } from './login.ts'
import type { LoginSessions, RefreshToken, RefreshTokens } from './login-ports.ts'

export const ACCESS_TOKEN_MS = 15 * MINUTE_MS
export const HUB_TOKEN_MS = 5 * MINUTE_MS
export const REFRESH_TOKEN_MS = 30 * DAY_MS
/** Grace period after a rotation in which the used token yields its successor: two tabs that refresh at once get the same token. */
export const REFRESH_GRACE_MS = 30_000

export interface TokenTools {
  /** Returns a new random token. */
  make(): string
  digest(token: string): string
  /** Encrypts `token` with `key`. */
  seal(token: string, key: string): string
  open(sealed: string, key: string): string
}

/** A new refresh token, and the login that it belongs to. */
export type Rotation = SignedLogin & { token: string }

export type RefreshTokenIssuer = ReturnType<typeof createRefreshTokenIssuer>

/** Issues refresh tokens and rotates them at every use; a used token that is presented after its grace period ends the login. */
export function createRefreshTokenIssuer(deps: {
  refreshTokens: Pick<RefreshTokens, 'find' | 'rotate' | 'revokeFamily'>
  loginSessions: Pick<LoginSessions, 'find' | 'open'>
  endLogin: EndLogin
  tools: TokenTools
  clock: Clock
  newId: () => string
  /** Called when a used token is presented after its grace period. */
  onReuse?: (accountId: string) => void
}) {
  const { refreshTokens, loginSessions, endLogin, tools, clock, newId, onReuse } = deps

  function record(token: string, family: string, { accountId, sessionId, signedInAt }: SignedLogin): RefreshToken {
    return {
      digest: tools.digest(token),
      family,
      accountId,
      sessionId,
      expiresAt: Math.min(clock.now() + REFRESH_TOKEN_MS, signedInAt + LOGIN_MS),
      usedAt: null,
      successor: null,
    }
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

  /** Follows the successors of a used token to the one that is unused. */
  async function unusedSuccessor(token: string, used: RefreshToken): Promise<Rotation | null> {
    let current = token
    let row: RefreshToken | null = used
    while (row?.successor) {
      current = tools.open(row.successor, current)
      row = await findLive(current)
    }
    const login = row && (await loginOf(row))
    return login && { token: current, ...login }
  }

  async function presentedAgain(token: string, used: RefreshToken): Promise<Rotation | null> {
    if (used.usedAt === null || clock.now() - used.usedAt <= REFRESH_GRACE_MS) return unusedSuccessor(token, used)
    onReuse?.(used.accountId)
    await endLogin({ accountId: used.accountId, sessionId: used.sessionId })
    return null
  }

  return {
    /** Opens a login in this login session and resolves with the first token of its family. A login that the session had ends. */
    async open({ accountId, sessionId }: Login): Promise<Rotation> {
      const token = tools.make()
      const login = { accountId, sessionId, signedInAt: clock.now() }
      await loginSessions.open(record(token, newId(), login), login.signedInAt)
      return { token, ...login }
    },

    /** Resolves with null for a token that is unknown, expired, revoked or presented after its grace period. */
    async rotate(token: string): Promise<Rotation | null> {
      const row = await findLive(token)
      if (!row) return null
      if (row.usedAt !== null) return presentedAgain(token, row)
      const login = await loginOf(row)
      if (!login) return null
      const next = tools.make()
      const successor = record(next, row.family, login)
      const outcome = await refreshTokens.rotate(row.digest, tools.seal(next, token), successor, clock.now())
      if (outcome === 'ended') return null
      if (outcome === 'rotated') return { token: next, ...login }
      const lost = await findLive(token)
      return lost && presentedAgain(token, lost)
    },

    /** Resolves with true for a token that is valid and unused. */
    async isLive(token: string): Promise<boolean> {
      const row = await findLive(token)
      return row !== null && row.usedAt === null
    },

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
