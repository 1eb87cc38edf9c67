import { expect, onTestFinished, test } from 'vitest'
import { holdUnreadAnswers } from '../../support/attacks/slow-readers.ts'
import { newVisitor, startServer } from '../../support/server.ts'

test('a socket with far more requests under way than an address may have is cut off', async () => {
  const server = await startServer({ CONNECTIONS_PER_ADDRESS: '50' })
  onTestFinished(server.stop)
  const attack = holdUnreadAnswers(server.origin, { sockets: 3, path: '/healthz', requestsEach: 1_000, forMs: 500 })
  expect(await attack).toEqual({ 'ended by the server': 3 })
  expect((await newVisitor(server).fetch('/healthz')).status).toBe(200)
})
