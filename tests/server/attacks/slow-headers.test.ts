import { expect, onTestFinished, test } from 'vitest'
import { holdSlowHeaders } from '../../support/attacks/slow-headers.ts'
import { newVisitor, startServer } from '../../support/servers/server.ts'

test('an address holds a limited number of unfinished requests, and another address is served meanwhile', async () => {
  const server = await startServer({ CONNECTIONS_PER_ADDRESS: '20' })
  onTestFinished(server.stop)
  const attack = holdSlowHeaders(server.origin, {
    sockets: 60,
    everyMs: 100,
    forMs: 1_000,
    localAddress: '127.0.0.2',
  })
  expect((await newVisitor(server).fetch('/healthz')).status).toBe(200)
  expect(await attack).toEqual({ 'cut off': 40, 'held to the end': 20 })
})
