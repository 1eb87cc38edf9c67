import { expect, test } from 'vitest'
import { createFrameCapture } from '../../../src/devices/io/frame-capture.ts'
import { createApi } from '../../../src/platform/io/network.ts'
import { formOf, openRoom, problem } from '../../support/browser/api-room.ts'
import { camera, stop, uploadedPicture } from '../../support/browser/cameras.ts'
import type { Script } from '../../support/browser/scripted-response.ts'
import { crash, startWorkers } from '../../support/browser/test-workers.ts'

const valid = { json: { message: 'Valid' } }
const owner = { email: 'ada@example.org', userSessionId: 's1' }
const frames = 'user/video-frame/add'

async function workersOn(script: Script) {
  const room = await openRoom(script)
  return { ...room, workers: startWorkers({ baseUrl: room.baseUrl }) }
}

/** Records every message that the page's thread receives from `worker`. */
function messagesOf(worker: Worker | undefined): unknown[] {
  const messages: unknown[] = []
  worker?.addEventListener('message', ({ data }) => messages.push(data))
  return messages
}

test('a frame of the camera arrives at the server as a JPEG that can be seen', async () => {
  const { seen, workers } = await workersOn({ [frames]: [valid] })
  await createFrameCapture(workers).capture(camera(), 'dashboard', owner)
  const [request] = await seen(frames)
  if (!request) throw new Error('nothing arrived')
  const form = await formOf(request)
  expect(form.get('EmailAddress')).toBe('ada@example.org')
  expect(form.get('UserSessionId')).toBe('s1')
  const { file, ...picture } = await uploadedPicture(request)
  expect(file).toMatchObject({ name: 'frame.jpg', type: 'image/jpeg' })
  expect(picture).toEqual({ width: 640, height: 360, isRed: true })
})

test('a small frame keeps its size, and missing owners have their placeholders', async () => {
  const { seen, workers } = await workersOn({ 'report/video-frame/add': [valid] })
  await createFrameCapture(workers).capture(camera(320, 240), 'reported', { email: '', userSessionId: '' })
  const [request] = await seen()
  if (!request) throw new Error('nothing arrived')
  const form = await formOf(request)
  expect(form.get('EmailAddress')).toBe('NullEmailAddress')
  expect(form.get('UserSessionId')).toBe('NullUserSessionId')
  expect(await uploadedPicture(request)).toMatchObject({ width: 320, height: 240, isRed: true })
})

test("the picture's bytes never come back to the page's thread", async () => {
  const { seen, workers } = await workersOn({ [frames]: [valid] })
  const media = workers.media()
  const messages = [messagesOf(workers.started.media[0]), messagesOf(workers.started.network[0])]
  const stream = camera()
  await createFrameCapture({ media: () => media }).capture(stream, 'dashboard', owner)
  expect(await seen(frames)).toHaveLength(1)
  // Replies to connectMedia, captureFrame (without the numbers that this server does not tell) and connectNetwork.
  const values = messages.flat().map((message) => (message as { value: unknown }).value)
  expect(values).toEqual([undefined, null, undefined].map((value) => ({ value, ran: null })))
})

test('a frame of a stopped camera is rejected and nothing is sent', async () => {
  const { seen, workers } = await workersOn({ [frames]: [valid] })
  const stream = camera()
  stop(stream)
  const capture = createFrameCapture(workers).capture(stream, 'dashboard', owner)
  await expect(capture).rejects.toMatchObject({ code: 'camera-refused' })
  expect(await seen()).toHaveLength(0)
})

test("a failed upload rejects with the server's code", async () => {
  const { workers } = await workersOn({ [frames]: [problem(429, 'too-many-requests')] })
  const capture = createFrameCapture(workers).capture(camera(), 'dashboard', owner)
  await expect(capture).rejects.toMatchObject({ code: 'too-many-requests', details: { status: 429 } })
})

test('frames still arrive after the network worker died', async () => {
  const { seen, workers } = await workersOn({ [frames]: [{ fault: 'never' }, valid] })
  const capture = createFrameCapture(workers)
  const stream = camera()
  const lost = capture.capture(stream, 'dashboard', owner)
  await expect.poll(async () => (await seen(frames)).length).toBe(1)
  crash(workers.started.network[0])
  await expect(lost).rejects.toMatchObject({ code: 'worker-died' })
  await capture.capture(stream, 'dashboard', owner)
  expect(workers.started.network).toHaveLength(2)
  expect(workers.started.media).toHaveLength(1)
  expect(await seen(frames)).toHaveLength(2)
})

test('frames still arrive after the media worker died', async () => {
  const { seen, workers } = await workersOn({ [frames]: [{ fault: 'never' }, valid] })
  const capture = createFrameCapture(workers)
  const stream = camera()
  const lost = capture.capture(stream, 'dashboard', owner)
  await expect.poll(async () => (await seen(frames)).length).toBe(1)
  crash(workers.started.media[0])
  await expect(lost).rejects.toMatchObject({ code: 'worker-died' })
  await capture.capture(stream, 'dashboard', owner)
  expect(workers.started.media).toHaveLength(2)
  expect(workers.started.network).toHaveLength(1)
})

test('workers start with the first request, terminate on stop, and start again when they are needed', async () => {
  const { workers } = await workersOn({ 'users/online/get': [{ fault: 'never' }, { json: { onlineUsers: 1 } }] })
  const { started } = workers
  expect(started).toEqual({ network: [], media: [] })
  const api = createApi(workers)
  const lost = api.request('readOnlineUsers', undefined)
  expect(started.media).toHaveLength(0)
  workers.stop()
  await expect(lost).rejects.toMatchObject({ code: 'worker-died' })
  await expect(workers.media().decodeChat('aGk=')).resolves.toBe('hi')
  expect(started).toMatchObject({ network: { length: 2 }, media: { length: 1 } })
})
