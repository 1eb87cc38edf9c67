import { expect, onTestFinished, test } from 'vitest'
import { newestFrameOf } from '../../../workers/curtain/newest-frame.ts'

/** Frames of a track, and how many of them are open. */
function openTrack() {
  const canvas = new OffscreenCanvas(16, 16)
  canvas.getContext('2d')?.fillRect(0, 0, 16, 16)
  const made: VideoFrame[] = []
  let frames: ReadableStreamDefaultController<VideoFrame> | undefined
  let isCancelled = false
  const readable = new ReadableStream<VideoFrame>(
    {
      start(controller) {
        frames = controller
      },
      cancel() {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const source = newestFrameOf(readable)
  onTestFinished(() => {
    source.end()
    for (const frame of made) frame.close()
  })
  return {
    source,
    send(timestamp: number): void {
      const frame = new VideoFrame(canvas, { timestamp })
      made.push(frame)
      frames?.enqueue(frame)
    },
    fail: () => frames?.error(new Error('The camera is gone')),
    close: () => frames?.close(),
    /** Timestamps of the frames that are open. */
    open: () => made.filter(({ format }) => format !== null).map(({ timestamp }) => timestamp),
    isCancelled: () => isCancelled,
  }
}

test('a frame is taken once', async () => {
  const { source, send } = openTrack()
  send(1)
  expect((await source.take())?.timestamp).toBe(1)
  expect(await source.take()).toBeNull()
})

test('a frame that comes too late for one look is taken by the next, unless a newer one came', async () => {
  const { source, send, open } = openTrack()
  expect(await source.take()).toBeNull()
  send(1)
  expect((await source.take())?.timestamp).toBe(1)
  expect(await source.take()).toBeNull()
  send(2)
  await expect.poll(open).toContain(2)
  send(3)
  expect((await source.take())?.timestamp).toBe(3)
  expect(open()).toEqual([1, 3])
})

test('after the end of a track, or its failure, there is no frame', async () => {
  for (const way of ['fail', 'close'] as const) {
    const track = openTrack()
    track[way]()
    expect([await track.source.take(), await track.source.take()]).toEqual([null, null])
  }
})

test('the end closes the frame that nobody took, and tells the track', async () => {
  const { source, send, open, isCancelled } = openTrack()
  expect(await source.take()).toBeNull()
  send(1)
  await expect.poll(open).toEqual([1])
  source.end()
  await expect.poll(open).toEqual([])
  expect(isCancelled()).toBe(true)
})
