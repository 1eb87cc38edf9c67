import { API_BASE, REQUESTED_WITH, START_PATH } from '#protocol/constants.ts'
import { EARLY_WORKER } from './contract.ts'

/** Sends the request of the start. The returned function answers the first request to its address with that answer, and sends all others. */
export function createEarlyFetch(send: typeof fetch, address: string): typeof fetch {
  let early: Promise<Response> | null = send(address, {
    credentials: 'include',
    headers: { [REQUESTED_WITH.name]: REQUESTED_WITH.value },
  })
  // A failure is handled by the request that takes this answer; without this line it would also be an unhandled rejection.
  early.catch(() => {})
  return (input, init) => {
    const answer = early
    const wanted = input instanceof Request ? input.url : String(input)
    if (!answer || wanted !== address) return send(input, init)
    early = null
    return answer
  }
}

/**
 * Imported before all other modules of the worker: the request is on its way while they are run. Undefined in a worker that sends
 * nothing early.
 */
export const earlyFetch = self.name === EARLY_WORKER ? sendEarly() : undefined

function sendEarly(): typeof fetch {
  const address = new URL(`${API_BASE}/${START_PATH}`, self.location.origin).href
  return createEarlyFetch((input, init) => fetch(input, init), address)
}
