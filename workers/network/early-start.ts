import { MINUTE_MS } from '#protocol/durations.ts'
import type { EndpointOutput } from '#protocol/rest.ts'
import type { NetworkWorker } from './contract.ts'

/** Greatest age of an answer that the page gets; if the answer is older, the page's own request is sent. */
const FRESH_MS = MINUTE_MS

type Answer = { start: EndpointOutput<'readStart'>; arrivedAt: number }

/**
 * Sends the first request of a visit at once. The page's first request of the start gets the outcome; all other
 * requests are sent as usual. The time for which the answer has waited for the page is added to the server's time.
 */
export function withEarlyStart(worker: NetworkWorker, now: () => number): NetworkWorker {
  async function send(): Promise<Answer> {
    const start = await worker.request('readStart', undefined)
    return { start, arrivedAt: now() }
  }

  let early: Promise<Answer> | null = send()
  // A failure is handled by the request that takes this answer; without this line it would also be an unhandled rejection.
  early.catch(() => {})

  return {
    ...worker,
    async request(name, input, signal) {
      const answer = early
      if (name !== 'readStart' || !answer) return worker.request(name, input, signal)
      early = null
      const { start, arrivedAt } = await answer
      const age = now() - arrivedAt
      if (age > FRESH_MS || age < 0) return worker.request(name, input, signal)
      return { ...start, timestamp: start.timestamp + age } as EndpointOutput<typeof name>
    },
  }
}
