import { Agent, request } from 'node:http'
import { inLanes, OutcomeCounter, type Outcomes } from './outcomes.ts'

type Options = {
  /** The hub token of each request; requests without one are refused. */
  token?: string
  lanes: number
  times?: number
  forMs?: number
  /** Called at each response. */
  answered?: () => void
}

/** Negotiates hub connections as fast as the hub responds. Counts the statuses. */
export async function floodNegotiate(origin: string, options: Options): Promise<Outcomes> {
  const { token, lanes, times, forMs, answered } = options
  const counter = new OutcomeCounter()
  const agent = new Agent({ keepAlive: true, maxSockets: lanes })
  const url = `${origin}/chathub/negotiate?negotiateVersion=1`
  const headers = { 'content-length': '0', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const negotiate = () =>
    new Promise<string | number>((resolve) => {
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 'no status'))
        response.on('error', () => resolve('cut off'))
      })
      sent.on('error', () => resolve('no answer'))
      sent.end()
    })
  const limit = {
    ...(times !== undefined && { times }),
    ...(forMs !== undefined && { untilMs: performance.now() + forMs }),
  }
  await inLanes(lanes, limit, async () => {
    counter.add(await negotiate())
    answered?.()
  })
  agent.destroy()
  return counter.counts
}
