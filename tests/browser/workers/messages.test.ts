import { expect, onTestFinished, test } from 'vitest'
import { createChatStore } from '../../../src/call/state/chat.ts'
import { createFrameCapture } from '../../../src/devices/io/frame-capture.ts'
import { createApi, createLog } from '../../../src/platform/io/network.ts'
import { openRoom } from '../../support/browser/api-room.ts'
import { overBudget } from '../../support/browser/budget.ts'
import { camera, show } from '../../support/browser/cameras.ts'
import { startWorkers } from '../../support/browser/test-workers.ts'
import { recordWorkerMessages, takeWorkerMessages } from '../../support/browser/worker-messages.ts'

const owner = { email: 'ada@example.org', userSessionId: 's1' }

/** The real workers, which are started and joined, with a record of the messages to and from them. */
async function startedWorkers() {
  const room = await openRoom({
    'users/online/get': [{ json: { onlineUsers: 3 } }],
    'user/video-frame/add': [{ json: { message: 'Valid' } }],
  })
  onTestFinished(recordWorkerMessages())
  const workers = startWorkers({ baseUrl: room.baseUrl })
  const codec = workers.media()
  // This starts both and joins them: three requests, whose answers may come in any order.
  let answered = 0
  await codec.encodeChat('first')
  await expect.poll(() => (answered += takeWorkerMessages().answers)).toBe(3)
  return { room, workers, codec }
}

test('a chat line is one message to a worker and one back, in each direction', async () => {
  const { codec } = await startedWorkers()
  const delivered: string[] = []
  const chat = createChatStore({
    codec: () => codec,
    deliver: async (encoded) => void delivered.push(encoded),
    newId: () => crypto.randomUUID(),
    log: { info: () => {}, error: () => {} },
  })
  for (let line = 1; line <= 5; line += 1) {
    chat.send(`line ${line}`)
    await expect.poll(() => delivered.length).toBe(line)
  }
  expect(takeWorkerMessages()).toEqual({ sent: Array(5).fill('media encodeChat'), answers: 5 })
  chat.receive(delivered[0] ?? '')
  await expect.poll(() => chat.messages.value.length).toBe(6)
  expect(takeWorkerMessages()).toEqual({ sent: ['media decodeChat'], answers: 1 })
})

test('a frame of the dashboard is one message to the media worker, one back, and one upload', async () => {
  const { room, workers } = await startedWorkers()
  const stream = camera()
  await show(stream)
  const frames = createFrameCapture(workers)
  for (let taken = 0; taken < 3; taken += 1) await frames.capture(stream, 'dashboard', owner)
  expect(takeWorkerMessages()).toEqual({ sent: Array(3).fill('media captureFrame'), answers: 3 })
  expect(await room.seen()).toHaveLength(3)
})

test('an API request is one message; a log line of a level that is off is none', async () => {
  const { workers } = await startedWorkers()
  const log = createLog(workers, [])
  for (let line = 0; line < 100; line += 1) log.error(`line ${line}`)
  await createApi(workers).request('readOnlineUsers', undefined)
  expect(takeWorkerMessages()).toEqual({ sent: ['network request readOnlineUsers'], answers: 1 })
})

test('a broken budget names the worker, the method and the endpoint', async () => {
  const { workers, codec } = await startedWorkers()
  const api = createApi(workers)
  await Promise.all([codec.encodeChat('a'), codec.encodeChat('b'), api.request('readOnlineUsers', undefined)])
  expect(overBudget(takeWorkerMessages().sent, { 'media encodeChat': 1 })).toEqual([
    'media encodeChat: 2, budget 1',
    'network request readOnlineUsers: 1, budget 0',
  ])
})
