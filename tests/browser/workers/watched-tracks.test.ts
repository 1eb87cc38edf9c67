import { expect, onTestFinished, test, vi } from 'vitest'
import { createPictureLooks, createWatchedTracks } from '../../../src/curtain/io/picture-looks.ts'
import { camera, show, stop } from '../../support/browser/cameras.ts'
import { sent } from '../../support/browser/sent-stream.ts'

/** A model that looks, and how many pictures the page has copied for it. */
async function startLooks() {
  const copied = vi.fn<() => void>()
  const Copy = class extends VideoFrame {
    constructor(...given: ConstructorParameters<typeof VideoFrame>) {
      super(...given)
      copied()
    }
  }
  vi.stubGlobal('VideoFrame', Copy)
  const looks = createPictureLooks({ lookMsMax: Number.POSITIVE_INFINITY })
  onTestFinished(() => {
    looks.stop()
    vi.unstubAllGlobals()
  })
  await looks.start()

  /** Looks until the frames come without a copy. Resolves with the score of such a look. */
  async function lookWithoutCopy(video: HTMLVideoElement): Promise<number> {
    let score = Number.NaN
    await expect
      .poll(async () => {
        const before = copied.mock.calls.length
        const seen = await looks.look(video, 'peer')
        score = seen?.score ?? Number.NaN
        // A video whose track has just changed may have no picture yet.
        return { isSeen: seen !== null, copies: copied.mock.calls.length - before }
      })
      .toEqual({ isSeen: true, copies: 0 })
    return score
  }
  return { looks, copied, lookWithoutCopy }
}

/** Returns what the worker is told. */
function recordingWorker() {
  const told: string[] = []
  const streams: ReadableStream<VideoFrame>[] = []
  const worker = {
    async watch(id: number, frames: ReadableStream<VideoFrame>) {
      told.push(`watch ${id}`)
      streams.push(frames)
    },
    unwatch: async (id: number) => void told.push(`unwatch ${id}`),
  }
  onTestFinished(async () => {
    for (const stream of streams) await stream.cancel()
  })
  return { worker, told }
}

test('the picture of a peer, of another track and of the next call is looked at without a copy by the page', async () => {
  const { looks, lookWithoutCopy } = await startLooks()
  const video = await show(await sent(camera(640, 480, 'red')))
  const red = await lookWithoutCopy(video)
  const grey = camera(640, 480, '#777')
  video.srcObject = grey
  await new Promise((resolve) => video.requestVideoFrameCallback(resolve))
  const other = await lookWithoutCopy(video)
  expect(Math.abs(other - red)).toBeGreaterThan(0.000_1)
  looks.stop()
  expect(grey.getVideoTracks()[0]?.readyState).toBe('live')
  await looks.start()
  expect(await lookWithoutCopy(video)).toBeCloseTo(other, 3)
})

test('a picture that stands still is looked at each time', async () => {
  const { looks } = await startLooks()
  const still = camera(320, 240, 'red')
  const video = await show(still)
  await looks.look(video, 'peer')
  stop(still)
  expect([await looks.look(video, 'peer'), await looks.look(video, 'peer')]).toEqual([
    { flagged: false, score: expect.any(Number), state: null },
    { flagged: false, score: expect.any(Number), state: null },
  ])
})

test('a track is handed over once, and ended when its video shows another or is gone', async () => {
  const { worker, told } = recordingWorker()
  const tracks = createWatchedTracks(worker)
  const [one, other] = [await show(camera()), await show(camera())]
  expect([await tracks.idOf(one), await tracks.idOf(other), await tracks.idOf(one)]).toEqual([1, 2, 1])
  one.srcObject = camera()
  expect(await tracks.idOf(one)).toBe(3)
  other.remove()
  expect(await tracks.idOf(one)).toBe(3)
  await expect.poll(() => told).toEqual(['watch 1', 'watch 2', 'watch 3', 'unwatch 1', 'unwatch 2'])
})

test('of a stream with two pictures, and of a track that has ended, nothing is handed over', async () => {
  const { worker, told } = recordingWorker()
  const tracks = createWatchedTracks(worker)
  const two = new MediaStream([...camera().getTracks(), ...camera().getTracks()])
  expect(await tracks.idOf(await show(two))).toBeNull()
  const ended = camera()
  const video = await show(ended)
  stop(ended)
  expect([await tracks.idOf(video), told]).toEqual([null, []])
})
