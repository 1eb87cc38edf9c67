import { expect, onTestFinished, test } from 'vitest'
import { holdRefusedSockets, type RefusedRequest, refusedRequests } from '../../support/attacks/held-sockets.ts'
import { startServer } from '../../support/servers/server.ts'

const HELD = 5

test.concurrent.each(Object.keys(refusedRequests) as RefusedRequest[])(
  '%s: a socket that the client never closes is released a few seconds after the response',
  async (kind) => {
    const server = await startServer({ CONNECTIONS_PER_ADDRESS: `${HELD}` })
    onTestFinished(server.stop)
    const isServed = () =>
      fetch(`${server.origin}/healthz`, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      )
    await holdRefusedSockets(server.origin, kind, HELD, async (statuses) => {
      expect(statuses.every((status) => status !== null && status >= 400)).toBe(true)
      await expect.poll(isServed, { interval: 100 }).toBe(true)
    })
  },
)
