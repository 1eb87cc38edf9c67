import type { Login } from './login.ts'
import type { Clock, RefreshToken, RefreshTokens } from './ports.ts'

export const ACCESS_TOKEN_MS = 15 * 60 * 1000
export const HUB_TOKEN_MS = 5 * 60 * 1000
export const REFRESH_TOKEN_MS = 30 * 24 * 60 * 60 * 1000
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

/** The token to hand out and whom it is for. */
export type Rotation = { token: string; accountId: string; sessionId: string }

export type RefreshTokenIssuer = ReturnType<typeof createRefreshTokenIssuer>

/** Rotates refresh tokens at every use; a token that comes back after its grace ends its whole family. */
export function createRefreshTokenIssuer(deps: {
  refreshTokens: RefreshTokens
  tools: TokenTools
  clock: Clock
  newId: () => string
  /** Called when a token comes back after its grace. */
  reused?: (accountId: string) => void
}) {
  const { refreshTokens, tools, clock, newId, reused } = deps

  function record(token: string, family: string, accountId: string, sessionId: string): RefreshToken {
    return {
      digest: tools.digest(token),
      family,
      accountId,
      sessionId,
      expiresAt: clock.now() + REFRESH_TOKEN_MS,
      usedAt: null,
      successor: null,
    }
  }

  async function findLive(token: string): Promise<RefreshToken | null> {
    const row = await refreshTokens.find(tools.digest(token))
    return row && row.expiresAt > clock.now() ? row : null
  }

  /** Follows the successors of a used token to the one that is still unused. */
  async function endOfChain(token: string, used: RefreshToken): Promise<Rotation | null> {
    let current = token
    let row: RefreshToken | null = used
    while (row?.successor) {
      current = tools.open(row.successor, current)
      row = await findLive(current)
    }
    return row && { token: current, accountId: row.accountId, sessionId: row.sessionId }
  }

  async function again(token: string, used: RefreshToken): Promise<Rotation | null> {
    if (used.usedAt === null || clock.now() - used.usedAt <= REFRESH_GRACE_MS) return endOfChain(token, used)
    reused?.(used.accountId)
    await refreshTokens.revokeFamily(used.family)
    return null
  }

  return {
    /** The first token of a new family: one family a sign-in. */
    async issue(accountId: string, sessionId: string): Promise<string> {
      const token = tools.make()
      await refreshTokens.add(record(token, newId(), accountId, sessionId))
      return token
    },

    /** Null when the token is unknown, expired, revoked or reused. */
    async rotate(token: string): Promise<Rotation | null> {
      const row = await findLive(token)
      if (!row) return null
      if (row.usedAt !== null) return again(token, row)
      const { accountId, sessionId } = row
      const next = tools.make()
      const successor = record(next, row.family, accountId, sessionId)
      if (await refreshTokens.rotate(row.digest, tools.seal(next, token), successor, clock.now()))
        return { token: next, accountId, sessionId }
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
