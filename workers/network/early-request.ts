import type { API_BASE, REQUESTED_WITH, START_PATH } from '#protocol/constants.ts'
import type { EARLY_WORKER } from './contract.ts'

/**
 * Copies of constants, which the compiler compares with the originals. A module that this script imported would be
 * shared with the rest of the worker, and this script would wait for its file (network.worker.ts).
 */
const startPath: `${typeof API_BASE}/${typeof START_PATH}` = '/api/start/get'
const requestedWith: typeof REQUESTED_WITH = { name: 'X-Requested-With', value: 'XMLHttpRequest' }
const earlyWorker: typeof EARLY_WORKER = 'network-early'

/**
 * Sends the request of the start. The returned function answers the first request to `address` with the response to it,
 * and sends all other requests.
 */
export function createEarlyFetch(send: typeof fetch, address: string): typeof fetch {
  let early: Promise<Response> | null = send(address, {
    credentials: 'include',
    headers: { [requestedWith.name]: requestedWith.value },
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

/** The request is under way while the rest of the worker loads. Undefined in a worker that sends nothing early. */
export const earlyFetch = self.name === earlyWorker ? sendEarly() : undefined

function sendEarly(): typeof fetch {
  return createEarlyFetch((input, init) => fetch(input, init), new URL(startPath, self.location.origin).href)
}
