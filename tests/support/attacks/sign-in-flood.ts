import { identityToken, newVisitor, sessionOf } from '../servers/server.ts'
import { inLanes, OutcomeCounter, type Outcomes } from './outcomes.ts'

type Options = {
  lanes: number
  times?: number
  forMs?: number
  /** Tokens that the provider never gave out, instead of real ones of people who are new each time. */
  forged?: boolean
  /** Each visitor names an address of its own, as a proxy passes it on. */
  addresses?: boolean
}

/** Signs in again and again. Counts the statuses of the call that checks the provider's token. */
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
    // Earlier steps are refused as well once there are too many.
    counter.add(await signInOnce(index).catch(() => 'refused earlier'))
  })
  return counter.counts
}
