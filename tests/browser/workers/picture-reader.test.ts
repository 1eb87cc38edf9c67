import { expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { MediaWorker } from '#workers/media/contract.ts'
import { createPictureReader } from '../../../src/curtain/io/picture-reader.ts'
import { createWorkers } from '../../../src/platform/io/workers.ts'
import { camera, show, stop } from '../../support/browser/cameras.ts'
import { sent } from '../../support/browser/sent-stream.ts'

function prepareReader() {
  const workers = createWorkers()
  onTestFinished(() => workers.stop())
  return createPictureReader(workers)
}

/** A camera that looks at a grey wall, with the noise of a sensor. */
function noisyCamera(): MediaStream {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 320, height: 240 })
  const context = canvas.getContext('2d')
  const paint = () => {
    if (!context) return
    const picture = context.createImageData(320, 240)
    for (let at = 0; at < picture.data.length; at += 4) picture.data.fill(100 + Math.random() * 8, at, at + 3)
    for (let at = 3; at < picture.data.length; at += 4) picture.data[at] = 255
    context.putImageData(picture, 0, 0)
  }
  paint()
  const painting = setInterval(paint, 100)
  const stream = canvas.captureStream(10)
  onTestFinished(() => {
    clearInterval(painting)
    stop(stream)
  })
  return stream
}

test('a black picture, a picture that stands still and one with noise are told apart, and another track is judged anew', async () => {
  const { read } = prepareReader()
  const [dark, flat, noisy] = [
    await show(camera(640, 480, 'black')),
    await show(camera(640, 480, '#765')),
    await show(noisyCamera()),
  ]
  await expect.poll(() => read(dark, 'own')).toBe('black')
  // The first reading of a track says so of any picture.
  await expect.poll(() => read(noisy, 'own')).toBe('fine')
  await expect.poll(() => read(noisy, 'own')).toBe('fine')
  await expect.poll(() => read(flat, 'own')).toBe('still')
})

test('the first reading of a track that succeeds begins anew, and its picture is fine until more is known', async () => {
  const firsts: boolean[] = []
  const readPicture: MediaWorker['readPicture'] = async (_picture, _of, isFirst) => {
    firsts.push(isFirst)
    if (firsts.length === 1) throw new AppError('worker-died')
    return null
  }
  const media = Object.assign(Object.create(null), { readPicture })
  const { read } = createPictureReader({ media: () => media })
  const video = await show(camera())
  await expect(read(video, 'own')).rejects.toThrow()
  // Null without a new frame.
  await expect.poll(() => read(video, 'own')).toBe('fine')
  await expect.poll(() => read(video, 'own').then(() => firsts.length)).toBe(3)
  expect(firsts).toEqual([true, true, false])
})

test('a black picture that a peer sends is black here', async () => {
  const { read } = prepareReader()
  const video = await show(await sent(camera(640, 480, 'black')))
  await expect.poll(() => read(video, 'peer')).toBe('black')
})

test('a video that shows the same frame as before, or none, is not read', async () => {
  const { read } = prepareReader()
  const video = await show(camera(640, 480, 'black'))
  const quality = vi.spyOn(video, 'getVideoPlaybackQuality')
  const stamp = { creationTime: 0, corruptedVideoFrames: 0, droppedVideoFrames: 0 }
  quality.mockReturnValue({ ...stamp, totalVideoFrames: 7 })
  await read(video, 'own')
  const copied = vi.spyOn(globalThis, 'createImageBitmap')
  vi.stubGlobal('VideoFrame', undefined)
  Reflect.deleteProperty(globalThis, 'VideoFrame')
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  expect(await read(video, 'own')).toBeNull()
  expect(await read(document.createElement('video'), 'own')).toBeNull()
  expect(copied).not.toHaveBeenCalled()
  quality.mockReturnValue({ ...stamp, totalVideoFrames: 8 })
  await read(video, 'own')
  expect(copied).toHaveBeenCalled()
})

test('a browser without OffscreenCanvas reads nothing', async () => {
  const { read } = prepareReader()
  const video = await show(camera())
  vi.stubGlobal('OffscreenCanvas', undefined)
  Reflect.deleteProperty(globalThis, 'OffscreenCanvas')
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(await read(video, 'own')).toBeNull()
})
