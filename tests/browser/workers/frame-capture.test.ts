import { expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import { createFrameCapture } from '../../../src/devices/io/frame-capture.ts'
import { openRoom } from '../../support/browser/api-room.ts'
import { camera, show, stop, uploadedPicture } from '../../support/browser/cameras.ts'
import type { Script } from '../../support/browser/scripted-response.ts'
import { startWorkers } from '../../support/browser/test-workers.ts'

const valid = { json: { message: 'Valid' } }
const owner = { email: 'ada@example.org', userSessionId: 's1' }
const frames = 'user/video-frame/add'

async function workersOn(script: Script) {
  const room = await openRoom(script)
  return { ...room, workers: startWorkers({ baseUrl: room.baseUrl }) }
}

/** Never painted, so that no picture arrives. */
function silentCamera(): MediaStream {
  return document.createElement('canvas').captureStream(0)
}

/** Removes these globals until the test ends. */
function without(...names: ('VideoFrame' | 'createImageBitmap' | 'OffscreenCanvas')[]): void {
  for (const name of names) {
    vi.stubGlobal(name, undefined)
    Reflect.deleteProperty(globalThis, name)
  }
  onTestFinished(() => void vi.unstubAllGlobals())
}

/** Records every VideoFrame that this thread creates until the test ends. */
function madeFrames(): VideoFrame[] {
  const made: VideoFrame[] = []
  const Native = VideoFrame
  vi.stubGlobal(
    'VideoFrame',
    class extends Native {
      constructor(source: HTMLVideoElement) {
        super(source)
        made.push(this)
      }
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  return made
}

/** True if the frame was closed or transferred, which closes it here. */
const isClosed = (frame: VideoFrame) => frame.format === null && frame.codedWidth === 0

test.for([
  { without: ['VideoFrame'] as const, handed: ImageBitmap },
  { without: ['VideoFrame', 'createImageBitmap'] as const, handed: Blob },
  { without: ['OffscreenCanvas'] as const, handed: Blob },
])('where the browser has no $without the picture still arrives', async ({ without: names, handed }) => {
  const { seen, workers } = await workersOn({ [frames]: [valid] })
  const media = workers.media()
  const captureFrame = vi.fn(media.captureFrame)
  const stream = camera()
  await show(stream)
  without(...names)
  await createFrameCapture({ media: () => ({ ...media, captureFrame }) }).capture(stream, 'dashboard', owner)
  vi.unstubAllGlobals()
  expect(captureFrame.mock.calls[0]?.[0]).toBeInstanceOf(handed)
  const [request] = await seen(frames)
  const { file, ...picture } = await uploadedPicture(request)
  expect(file).toMatchObject({ name: 'frame.jpg', type: 'image/jpeg' })
  expect(picture).toEqual({ width: 640, height: 360, isRed: true })
})

test.each([
  [
    { message: 'Valid', online: { onlineUsers: 7, talkingUsers: 2 } },
    { onlineUsers: 7, talkingUsers: 2 },
  ],
  [{ message: 'Valid' }, null],
])('of the response %j the dashboard hears %j', async (json, told) => {
  const { workers } = await workersOn({ [frames]: [{ json }] })
  expect(await createFrameCapture(workers).capture(camera(), 'dashboard', owner)).toEqual(told)
})

test('a browser whose VideoFrame accepts no video uses a bitmap', async () => {
  const { seen, workers } = await workersOn({ [frames]: [valid] })
  vi.stubGlobal('VideoFrame', () => {
    throw new TypeError('no video here')
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  await createFrameCapture(workers).capture(camera(), 'dashboard', owner)
  expect(await seen(frames)).toHaveLength(1)
})

test('a stream that the page shows is captured synchronously, even if the call ends right after', async () => {
  const { seen, workers } = await workersOn({ 'report/video-frame/add': [valid] })
  const peer = camera()
  const video = await show(peer)
  const captured = createFrameCapture(workers).capture(peer, 'reported', owner)
  stop(peer)
  video.srcObject = null
  await captured
  const [request] = await seen()
  expect(await uploadedPicture(request)).toMatchObject({ width: 640, isRed: true })
})

test('a hidden player is released after each capture', async () => {
  const { workers } = await workersOn({ [frames]: [valid] })
  const made: HTMLVideoElement[] = []
  const create = document.createElement.bind(document)
  const spy = vi.spyOn(document, 'createElement').mockImplementation((name: string) => {
    const element = create(name)
    if (element instanceof HTMLVideoElement) made.push(element)
    return element
  })
  onTestFinished(() => spy.mockRestore())
  const capture = createFrameCapture(workers)
  const stream = camera()
  await capture.capture(stream, 'dashboard', owner)
  expect(made).toHaveLength(1)
  expect(made).toMatchObject([{ srcObject: null, paused: true }])
  await show(stream)
  await capture.capture(stream, 'dashboard', owner)
  expect(made).toHaveLength(2)
})

test('a camera that ends before its first picture is rejected, and its player released', async () => {
  const { seen, workers } = await workersOn({ [frames]: [valid] })
  const stream = silentCamera()
  const [track] = stream.getVideoTracks()
  const captured = createFrameCapture(workers).capture(stream, 'dashboard', owner)
  track?.dispatchEvent(new Event('ended'))
  await expect(captured).rejects.toMatchObject({
    code: 'camera-refused',
    message: 'The camera went before it gave a picture',
  })
  expect(await seen()).toHaveLength(0)
})

test('a camera that delivers no picture times out', async () => {
  const { workers } = await workersOn({ [frames]: [valid] })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const captured = createFrameCapture(workers).capture(silentCamera(), 'dashboard', owner)
  const refused = expect(captured).rejects.toMatchObject({
    code: 'camera-refused',
    message: 'The camera gave no picture',
  })
  vi.advanceTimersByTime(5_000)
  await refused
})

test('a hidden page sends no dashboard frame, but the picture of a report', async () => {
  const { seen, workers } = await workersOn({ [frames]: [valid], 'report/video-frame/add': [valid] })
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  onTestFinished(() => hidden.mockRestore())
  const capture = createFrameCapture(workers)
  const stream = camera()
  await show(stream)
  await capture.capture(stream, 'dashboard', owner)
  expect(await seen()).toHaveLength(0)
  await capture.capture(stream, 'reported', owner)
  expect(await seen('report/video-frame/add')).toHaveLength(1)
})

test('without permission nothing is sent and the frame is closed', async () => {
  const { seen, workers } = await workersOn({ [frames]: [valid] })
  const query = vi.spyOn(navigator.permissions, 'query').mockResolvedValue({ state: 'denied' } as PermissionStatus)
  onTestFinished(() => query.mockRestore())
  const made = madeFrames()
  const capture = createFrameCapture(workers).capture(camera(), 'dashboard', owner)
  await expect(capture).rejects.toMatchObject({ code: 'camera-refused' })
  expect(made.map(isClosed)).toEqual([true])
  expect(await seen()).toHaveLength(0)
})

test('a frame that cannot be transferred is closed', async () => {
  const made = madeFrames()
  const dead = () => {
    throw new AppError('worker-died')
  }
  const capture = createFrameCapture({ media: dead }).capture(camera(), 'dashboard', owner)
  await expect(capture).rejects.toMatchObject({ code: 'worker-died' })
  expect(made.map(isClosed)).toEqual([true])
})

test('a kept picture is sent later as it was captured, and holds no frame meanwhile', async () => {
  const made = madeFrames()
  const { seen, workers } = await workersOn({ 'report/video-frame/add': [valid] })
  const peer = camera()
  await show(peer)
  const send = await createFrameCapture(workers).keep(peer)
  expect(made.every(isClosed)).toBe(true)
  stop(peer)
  expect(await seen()).toEqual([])
  await send(owner)
  const [request] = await seen()
  expect(await uploadedPicture(request)).toMatchObject({ width: 640, isRed: true })
})
