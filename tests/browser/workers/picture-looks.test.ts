import { files as builtFiles } from 'virtual:curtain-files'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CurtainFiles } from '#workers/curtain/contract.ts'
import { createPictureLooks } from '../../../src/curtain/io/picture-looks.ts'
import { createCurtainWorker } from '../../../workers/curtain/create-curtain-worker.ts'
import { openRoom } from '../../support/browser/api-room.ts'
import { camera, show } from '../../support/browser/cameras.ts'
import type { ScriptedResponse } from '../../support/browser/scripted-response.ts'

/** Looks of any duration, and the workers that they started; `isRunning` says whether one was not ended. */
function prepareLooks(options: Parameters<typeof createPictureLooks>[0] = {}) {
  const running = new Set<Worker>()
  const startWorker = () => {
    const worker = new Worker(new URL('../../../workers/curtain/curtain.worker.ts', import.meta.url), {
      type: 'module',
    })
    running.add(worker)
    const terminate = worker.terminate.bind(worker)
    worker.terminate = () => {
      running.delete(worker)
      terminate()
    }
    return worker
  }
  const looks = createPictureLooks({ startWorker, lookMsMax: Number.POSITIVE_INFINITY, ...options })
  onTestFinished(() => looks.stop())
  return { ...looks, running }
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The files of the build with another one in the place of `name`. */
async function filesWith(name: keyof CurtainFiles, response: ScriptedResponse, digest?: string): Promise<CurtainFiles> {
  const { baseUrl } = await openRoom({ file: [response] })
  const other = { url: `${baseUrl}/file`, digest: digest ?? builtFiles[name].digest }
  return { ...builtFiles, [name]: other }
}

test('the real model looks at what a video shows, and at each picture anew', async () => {
  const looks = prepareLooks()
  expect(await looks.start()).toEqual({ model: 'mobilenet-v2-mid', firstLookMs: expect.any(Number) })
  const resultOf = async (video: HTMLVideoElement) =>
    (await looks.look(video, 'peer')) ?? { flagged: true, score: Number.NaN }
  const [red, grey] = [await show(camera(1280, 720, 'red')), await show(camera(1280, 720, '#777'))]
  const first = await resultOf(red)
  expect(first.flagged).toBe(false)
  expect(first.score).toBeGreaterThan(0)
  expect(first.score).toBeLessThan(0.85)
  const other = await resultOf(grey)
  expect(other.flagged).toBe(false)
  expect(Math.abs(other.score - first.score)).toBeGreaterThan(0.000_1)
  expect((await resultOf(red)).score).toBeCloseTo(first.score, 2)
})

test('the looks at a picture that is black, and at one that stands still, say so after a while', async () => {
  const looks = prepareLooks()
  await looks.start()
  const [black, still] = [await show(camera(640, 480, 'black')), await show(camera(640, 480, '#765'))]
  const first = await looks.look(black, 'peer')
  expect(first?.state).toBeNull()
  // As often as in a call: a look takes a core.
  const options = { interval: 1_000 }
  await expect.poll(async () => (await looks.look(black, 'peer'))?.state, options).toBe('black')
  await expect.poll(async () => (await looks.look(still, 'own'))?.state, options).toBe('still')
})

/** Takes the ways to a frame of a video away that some browsers lack. */
function takeFramesAway(): void {
  for (const name of ['VideoFrame', 'MediaStreamTrackProcessor']) {
    vi.stubGlobal(name, undefined)
    Reflect.deleteProperty(globalThis, name)
  }
}

test('a browser without VideoFrame looks at a bitmap', async () => {
  const looks = prepareLooks()
  await looks.start()
  takeFramesAway()
  onTestFinished(() => void vi.unstubAllGlobals())
  const bitmap = vi.spyOn(globalThis, 'createImageBitmap')
  expect(await looks.look(await show(camera(640, 360, 'grey')), 'peer')).toMatchObject({ flagged: false })
  expect(await bitmap.mock.results[0]?.value).toBeInstanceOf(ImageBitmap)
})

test('a video without a picture is no look', async () => {
  const looks = prepareLooks()
  await looks.start()
  expect(await looks.look(document.createElement('video'), 'peer')).toBeNull()
})

describe('a device that cannot do it', () => {
  test('has no SIMD: no worker starts', async () => {
    const looks = prepareLooks()
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false)
    onTestFinished(() => void vi.restoreAllMocks())
    const startWorker = vi.fn<() => Worker>()
    const here = createPictureLooks({ startWorker })
    await expect(here.start()).rejects.toMatchObject({ code: 'curtain-no-simd' })
    expect(startWorker).not.toHaveBeenCalled()
    await expect(looks.start()).rejects.toMatchObject({ code: 'curtain-no-simd' })
  })

  test('is too slow: the worker ends', async () => {
    const looks = prepareLooks({ lookMsMax: 0 })
    await expect(looks.start()).rejects.toMatchObject({ code: 'curtain-too-slow' })
    expect(looks.running.size).toBe(0)
  })
})

describe('a file of the model', () => {
  test.for([
    ['weights', { status: 404 }],
    ['layers', { status: 404 }],
    ['wasm', { status: 503 }],
    ['weights', { fault: 'at-once' }],
    ['weights', { bytes: 100, fault: 'half-way' }],
  ] as const)('that does not arrive (%s, %o) is missing', async ([name, response]) => {
    const looks = prepareLooks({ files: await filesWith(name, response) })
    await expect(looks.start()).rejects.toMatchObject({ code: 'curtain-model-missing' })
    expect(looks.running.size).toBe(0)
  })

  test.for(['wasm', 'layers', 'weights'] as const)('that is not that of the build (%s) is damaged', async (name) => {
    const looks = prepareLooks({ files: await filesWith(name, { bytes: 1_000 }) })
    await expect(looks.start()).rejects.toMatchObject({ code: 'curtain-model-damaged' })
    expect(looks.running.size).toBe(0)
  })

  test('that could be read, but has other bytes than at the build, is damaged', async () => {
    const { byteLength } = await (await fetch(builtFiles.weights.url)).arrayBuffer()
    const looks = prepareLooks({ files: await filesWith('weights', { bytes: byteLength }) })
    await expect(looks.start()).rejects.toMatchObject({ code: 'curtain-model-damaged' })
    expect(looks.running.size).toBe(0)
  })

  test.for([
    ['wasm', 'no code'],
    ['layers', '{'],
    ['layers', '{}'],
    ['weights', 'too short'],
  ] as const)('that was built damaged (%s, "%s") is damaged', async ([name, text]) => {
    const looks = prepareLooks({ files: await filesWith(name, { text }, await digestOf(text)) })
    await expect(looks.start()).rejects.toMatchObject({ code: 'curtain-model-damaged' })
    expect(looks.running.size).toBe(0)
  })

  test('and the script of the worker too can be missing', async () => {
    const looks = prepareLooks({ startWorker: () => new Worker('/no-such-worker.js', { type: 'module' }) })
    await expect(looks.start()).rejects.toMatchObject({ code: 'curtain-model-missing' })
  })
})

describe('stop', () => {
  test('while the model loads leaves no worker, and the next start works', async () => {
    const held = prepareLooks({ files: await filesWith('weights', { fault: 'never' }) })
    const started = expect(held.start()).rejects.toMatchObject({ code: 'worker-died' })
    held.stop()
    await started
    expect(held.running.size).toBe(0)

    const looks = prepareLooks()
    const first = expect(looks.start()).rejects.toMatchObject({ code: 'worker-died' })
    looks.stop()
    await looks.start()
    await first
    expect(looks.running.size).toBe(1)
    expect(await looks.look(await show(camera()), 'peer')).toMatchObject({ flagged: false })
  })

  test('during a look leaves no worker', async () => {
    const looks = prepareLooks()
    await looks.start()
    const video = await show(camera())
    const look = expect(looks.look(video, 'peer')).rejects.toMatchObject({ code: 'worker-died' })
    looks.stop()
    await look
    expect(looks.running.size).toBe(0)
    await expect(looks.look(video, 'peer')).rejects.toMatchObject({ code: 'worker-died' })
  })
})

test('a look requests nothing: no picture and no score leaves the device', async () => {
  const worker = createCurtainWorker()
  const fetched = vi.spyOn(globalThis, 'fetch')
  const others = [
    vi.spyOn(XMLHttpRequest.prototype, 'send'),
    vi.spyOn(navigator, 'sendBeacon'),
    vi.spyOn(globalThis, 'WebSocket'),
  ]
  onTestFinished(() => void vi.restoreAllMocks())
  await worker.load(builtFiles)
  const files = fetched.mock.calls.filter(([url]) => !String(url).startsWith('blob:'))
  expect(files.map(([url]) => url).toSorted()).toEqual(
    Object.values(builtFiles)
      .map(({ url }) => url)
      .toSorted(),
  )
  for (const [, request] of fetched.mock.calls) expect(request?.body).toBeUndefined()
  fetched.mockClear()
  const video = await show(camera())
  for (let times = 0; times < 3; times += 1) await worker.look(await createImageBitmap(video), 'peer')
  expect(fetched).not.toHaveBeenCalled()
  for (const other of others) expect(other).not.toHaveBeenCalled()
})

/** A red picture with rings in its middle, 400 by 200 pixels. */
function ringsIn(width: number, height: number): ImageBitmap {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('No context')
  context.fillStyle = 'red'
  context.fillRect(0, 0, width, height)
  context.translate((width - 400) / 2, (height - 200) / 2)
  context.fillStyle = '#ddb'
  context.fillRect(0, 0, 400, 200)
  for (let radius = 95; radius > 0; radius -= 19) {
    context.fillStyle = radius % 2 ? '#a64' : '#246'
    context.beginPath()
    context.arc(200, 100, radius, 0, 2 * Math.PI)
    context.fill()
  }
  return canvas.transferToImageBitmap()
}

test('of a very long picture the middle is looked at, as a screen shows it', async () => {
  const worker = createCurtainWorker()
  await worker.load(builtFiles)
  const { score } = await worker.look(ringsIn(400, 200), 'peer')
  expect((await worker.look(ringsIn(1_600, 200), 'peer')).score).toBeCloseTo(score, 4)
  const upright = (await worker.look(ringsIn(400, 800), 'peer')).score
  expect((await worker.look(ringsIn(400, 1_600), 'peer')).score).toBeCloseTo(upright, 4)
  expect(Math.abs(upright - score)).toBeGreaterThan(0.000_01)
})

test('a browser that refuses options for a bitmap of a video looks at the whole bitmap', async () => {
  const looks = prepareLooks()
  await looks.start()
  const real = globalThis.createImageBitmap
  takeFramesAway()
  vi.stubGlobal('createImageBitmap', (video: HTMLVideoElement, options?: ImageBitmapOptions) =>
    options ? Promise.reject(new TypeError('No options')) : real(video),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(await looks.look(await show(camera(640, 360, 'grey')), 'peer')).toMatchObject({ flagged: false })
})
