import { Agent, request } from 'node:http'
import { inLanes, OutcomeCounter, type Outcomes } from './outcomes.ts'

type Options = {
  /** The hub token that each request carries; without one they are refused at once. */
  token?: string
  lanes: number
  times?: number
  forMs?: number
  /** Called at each answer. */
  answered?: () => void
}

/** Asks the hub for connections as fast as it answers. Counts the statuses. */
export async function floodNegotiate(origin: string, options: Options): Promise<Outcomes> {
  const { token, lanes, times, forMs, answered } = options
  const counter = new OutcomeCounter()
  const agent = new Agent({ keepAlive: true, maxSockets: lanes })
  const url = `${origin}/chathub/negotiate?negotiateVersion=1`
  const headers = { 'content-length': '0', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const ask = () =>
    new Promise<string | number>((resolve) => {
      const asked = request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 'no status'))
        response.on('error', () => resolve('cut off'))
      })
      asked.on('error', () => resolve('no answer'))
      asked.end()
    })
  const limit = {
    ...(times !== undefined && { times }),
    ...(forMs !== undefined && { untilMs: performance.now() + forMs }),
  }
  await inLanes(lanes, limit, async () => {
    counter.add(await ask())
    answered?.()
  })
  agent.destroy()
  return counter.counts
}
