import { expect, onTestFinished, test } from 'vitest'
import { pipelineRequests } from '../../support/attacks/pipelined-requests.ts'
import { holdUnreadAnswers } from '../../support/attacks/slow-readers.ts'
import { newVisitor, startServer } from '../../support/servers/server.ts'

test('a connection that pipelines many requests is closed', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  expect(await pipelineRequests(server.origin, 1_000)).toBeLessThanOrEqual(16)
  expect(await pipelineRequests(server.origin, 1_000, ['Expect: miracles'])).toBeLessThanOrEqual(1)
  // A few at once are all answered.
  expect(await pipelineRequests(server.origin, 8)).toBe(8)
})

test('sockets with far more pending requests than an address may have are closed', async () => {
  const server = await startServer({ CONNECTIONS_PER_ADDRESS: '50' })
  onTestFinished(server.stop)
  const attack = holdUnreadAnswers(server.origin, { sockets: 3, path: '/healthz', requestsEach: 1_000, forMs: 500 })
  expect(await attack).toEqual({ 'ended by the server': 3 })
  expect((await newVisitor(server).fetch('/healthz')).status).toBe(200)
})
