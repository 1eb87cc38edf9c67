import type { SignedInVisitor } from '../servers/server.ts'

/** Resolves with a hub token of this user. */
export async function hubTokenOf(visitor: SignedInVisitor): Promise<string> {
  const { hubConnectionAccessToken } = await visitor.request('readHubToken', { userSessionId: visitor.sessionId })
  return hubConnectionAccessToken
}
