import { DAY_MS, MINUTE_MS } from '#protocol/durations.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { type EndLogin, LOGIN_MS, type Login, type SignedLogin } from './login.ts'
import type { LoginSessions, RefreshToken, RefreshTokens } from './login-ports.ts'

export const ACCESS_TOKEN_MS = 15 * MINUTE_MS
export const HUB_TOKEN_MS = 5 * MINUTE_MS
export const REFRESH_TOKEN_MS = 30 * DAY_MS
/** Two tabs that refresh at once both get the same successor. */
export const REFRESH_GRACE_MS = 30_000

export interface TokenTools {
  /** A new token that nobody can guess. */
  make(): string
  digest(token: string): string
  /** Hides `token` so that only who holds `key` can `open` it. */
  seal(token: string, key: string): string
  open(sealed: string, key: string): string
}

/** The token to hand out and the login that it is for. */
export type Rotation = SignedLogin & { token: string }

export type RefreshTokenIssuer = ReturnType<typeof createRefreshTokenIssuer>

/** Rotates refresh tokens at every use; a token that comes back after its grace ends the whole login. */
export function createRefreshTokenIssuer(deps: {
  refreshTokens: Pick<RefreshTokens, 'find' | 'rotate' | 'revokeFamily'>
  loginSessions: Pick<LoginSessions, 'find' | 'open'>
  endLogin: EndLogin
  tools: TokenTools
  clock: Clock
  newId: () => string
  /** Called when a token comes back after its grace. */
  reused?: (accountId: string) => void
}) {
  const { refreshTokens, loginSessions, endLogin, tools, clock, newId, reused } = deps

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

  /** Null where the login that the token was made in is over. */
  async function loginOf({ accountId, sessionId }: RefreshToken): Promise<SignedLogin | null> {
    const session = await loginSessions.find(sessionId)
    return session?.accountId === accountId ? { accountId, sessionId, signedInAt: session.signedInAt } : null
  }

  /** Follows the successors of a used token to the one that is still unused. */
  async function endOfChain(token: string, used: RefreshToken): Promise<Rotation | null> {
    let current = token
    let row: RefreshToken | null = used
    while (row?.successor) {
      current = tools.open(row.successor, current)
      row = await findLive(current)
    }
    const login = row && (await loginOf(row))
    return login && { token: current, ...login }
  }

  async function again(token: string, used: RefreshToken): Promise<Rotation | null> {
    if (used.usedAt === null || clock.now() - used.usedAt <= REFRESH_GRACE_MS) return endOfChain(token, used)
    reused?.(used.accountId)
    await endLogin({ accountId: used.accountId, sessionId: used.sessionId })
    return null
  }

  return {
    /** Opens a login in this session and returns the first token of its family. Ends whatever login was in the session. */
    async open({ accountId, sessionId }: Login): Promise<Rotation> {
      const token = tools.make()
      const login = { accountId, sessionId, signedInAt: clock.now() }
      await loginSessions.open(record(token, newId(), login), login.signedInAt)
      return { token, ...login }
    },

    /** Null when the token is unknown, expired, revoked or reused. */
    async rotate(token: string): Promise<Rotation | null> {
      const row = await findLive(token)
      if (!row) return null
      if (row.usedAt !== null) return again(token, row)
      const login = await loginOf(row)
      if (!login) return null
      const next = tools.make()
      const successor = record(next, row.family, login)
      const outcome = await refreshTokens.rotate(row.digest, tools.seal(next, token), successor, clock.now())
      if (outcome === 'ended') return null
      if (outcome === 'rotated') return { token: next, ...login }
      const lost = await findLive(token)
      return lost && again(token, lost)
    },

    /** True while `token` would be accepted without being a reuse. */
    async isLive(token: string): Promise<boolean> {
      const row = await findLive(token)
      return row !== null && row.usedAt === null
    },

    /** Whose token it is, be it used or not; null for one that is unknown. */
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
