import type { SignedInVisitor } from '../servers/server.ts'

/** A token with which this person may open hub connections. */
export async function hubTokenOf(visitor: SignedInVisitor): Promise<string> {
  const { hubConnectionAccessToken } = await visitor.call('readHubToken', { userSessionId: visitor.sessionId })
  return hubConnectionAccessToken
}
