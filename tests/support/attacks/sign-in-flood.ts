import { identityToken, newVisitor, sessionOf } from '../servers/server.ts'
import { inLanes, OutcomeCounter, type Outcomes } from './outcomes.ts'

type Options = {
  lanes: number
  times?: number
  forMs?: number
  /** Forged tokens instead of valid tokens of a new user each time. */
  forged?: boolean
  /** Each visitor has another address, sent as a proxy would. */
  addresses?: boolean
}

/** Signs in repeatedly. Counts the statuses of the request that validates the provider's token. */
export async function floodSignIn(origin: string, options: Options): Promise<Outcomes> {
  const { lanes, times, forMs, forged = false, addresses = false } = options
  const counter = new OutcomeCounter()
  const limit = {
    ...(times !== undefined && { times }),
    ...(forMs !== undefined && { untilMs: performance.now() + forMs }),
  }

  async function signInOnce(index: number): Promise<string | number> {
    const address = `10.77.${(index >> 8) & 255}.${index & 255}`
    const visitor = newVisitor({ origin }, addresses ? { 'x-forwarded-for': address } : {})
    const email = `flood${index}@example.org`
    const sessionId = forged ? `session-${index}` : await sessionOf(visitor)
    const sourceAccessToken = forged ? `forged.${index}.token` : await identityToken(visitor, { email })
    const response = await visitor.send('setTokens', {
      userEmailAddress: email,
      userSessionId: sessionId,
      sourceAccessToken,
      platformType: 'Web',
      source: 'Google',
    })
    await response.arrayBuffer()
    return response.status
  }

  await inLanes(lanes, limit, async (index) => {
    // The steps before it have a rate limit too.
    counter.add(await signInOnce(index).catch(() => 'refused earlier'))
  })
  return counter.counts
}
