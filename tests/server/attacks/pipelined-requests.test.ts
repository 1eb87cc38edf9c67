import { expect, onTestFinished, test } from 'vitest'
import { pipelineRequests } from '../../support/attacks/pipelined-requests.ts'
import { startServer } from '../../support/server.ts'

test('a connection on which many requests come without waiting for answers is cut off', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  expect(await pipelineRequests(server.origin, 1_000)).toBeLessThanOrEqual(16)
  expect(await pipelineRequests(server.origin, 1_000, ['Expect: miracles'])).toBeLessThanOrEqual(1)
  // A few at once are answered.
  expect(await pipelineRequests(server.origin, 8)).toBe(8)
})
