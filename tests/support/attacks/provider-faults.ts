import { newVisitor, sessionOf } from '../servers/server.ts'

/** Signs in `times` times, one after the other, with a token that the provider rejects or fails on. Resolves with the statuses. */
export async function provokeProviderFaults(origin: string, times: number, token = 'ya29.made-up'): Promise<number[]> {
  const statuses: number[] = []
  for (let count = 0; count < times; count += 1) {
    const visitor = newVisitor({ origin })
    const response = await visitor.send('setTokens', {
      userEmailAddress: 'ada@example.org',
      userSessionId: await sessionOf(visitor),
      sourceAccessToken: token,
      platformType: 'Web',
      source: 'Google',
    })
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}
