import type { RefreshTokens, Sessions } from './ports.ts'

/** Whose login it is, and the session that it was made in. */
export type Login = { accountId: string; sessionId: string }

/** A signed token outlives the logout, the login that it speaks of does not. */
export async function isLive(sessions: Pick<Sessions, 'find'>, { accountId, sessionId }: Login): Promise<boolean> {
  return (await sessions.find(sessionId))?.accountId === accountId
}

/** Logs out: tokens, and whatever is open by them. */
export function createEndLogin(deps: {
  sessions: Pick<Sessions, 'detach'>
  refreshTokens: Pick<RefreshTokens, 'revokeSession'>
  /** Ends what this login does on the hub. */
  endOnHub: (login: Login) => void
}): (login: Login) => Promise<void> {
  return async (login) => {
    await deps.sessions.detach(login.sessionId, login.accountId)
    await deps.refreshTokens.revokeSession(login.accountId, login.sessionId)
    deps.endOnHub(login)
  }
}
