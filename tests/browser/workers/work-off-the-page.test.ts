import { expect, onTestFinished, test } from 'vitest'
import { createFrameCapture } from '../../../src/devices/io/frame-capture.ts'
import { createApi, createLog } from '../../../src/platform/io/network.ts'
import { openRoom } from '../../support/browser/api-room.ts'
import { show, stop } from '../../support/browser/cameras.ts'
import { startWorkers } from '../../support/browser/test-workers.ts'

const REQUESTS = 50
const LOG_LINES = 500
const CAPTURES = 20
const LOG_TEXT = 'logged line'
const owner = { email: 'ada@example.org', userSessionId: 's1' }

/** A page that shows its camera, with the real workers and a real server behind them. */
async function busyPage() {
  const room = await openRoom({
    'users/online/get': [{ json: { onlineUsers: 3 } }],
    'user/video-frame/add': [{ json: { message: 'Valid' } }],
    'logs/add': [{ text: 'added' }],
  })
  const workers = startWorkers({ baseUrl: room.baseUrl })
  const [api, log, frames] = [createApi(workers), createLog(workers, ['Info', 'Error']), createFrameCapture(workers)]
  const stream = await navigator.mediaDevices.getUserMedia({ video: { width: 1280, height: 720 } })
  onTestFinished(() => stop(stream))
  await show(stream)

  async function capture(): Promise<void> {
    for (let taken = 0; taken < CAPTURES; taken += 1) await frames.capture(stream, 'dashboard', owner)
  }

  return {
    room,
    async work(): Promise<void> {
      const requests = Array.from({ length: REQUESTS }, () => api.request('readOnlineUsers', undefined))
      for (let line = 0; line < LOG_LINES; line += 1) log.error(`${LOG_TEXT} ${line}`)
      log.flush()
      await Promise.all([...requests, capture()])
    },
  }
}

/** Returns which functions that send, write JSON of log lines or encode pictures were called on this thread during `work`. */
async function costlyCallsOf(work: () => Promise<void>): Promise<string[]> {
  const calls = new Set<string>()
  function watch(owner: object, name: string, isCostly: (result: unknown) => boolean = () => true): void {
    const original: unknown = Reflect.get(owner, name)
    if (typeof original !== 'function') throw new Error(`${name} is no function here`)
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
      const result: unknown = Reflect.apply(original, this, args)
      if (isCostly(result)) calls.add(name)
      return result
    })
    onTestFinished(() => void Reflect.set(owner, name, original))
  }
  watch(globalThis, 'fetch')
  watch(XMLHttpRequest.prototype, 'send')
  watch(globalThis, 'btoa')
  // The test runner has JSON of its own on this page.
  watch(JSON, 'stringify', (text) => String(text).includes(LOG_TEXT))
  for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D])
    for (const name of ['drawImage', 'getImageData']) watch(prototype, name)
  watch(HTMLCanvasElement.prototype, 'toBlob')
  watch(OffscreenCanvas.prototype, 'convertToBlob')
  await work()
  return [...calls]
}

/** Returns the log lines that the server received. */
async function linesAt(room: Awaited<ReturnType<typeof openRoom>>): Promise<Set<string>> {
  const batches = await room.seen('logs/add')
  const entries = batches.flatMap(({ body }) => JSON.parse(atob(body)) as { logMessage: string }[])
  return new Set(entries.map(({ logMessage }) => logMessage))
}

test('no request is sent, no log line is written as JSON and no picture is encoded on the UI thread', async () => {
  const { room, work } = await busyPage()
  expect(await costlyCallsOf(work)).toEqual([])
  expect(await room.seen('users/online/get')).toHaveLength(REQUESTS)
  expect(await room.seen('user/video-frame/add')).toHaveLength(CAPTURES)
  await expect.poll(async () => (await linesAt(room)).size).toBe(LOG_LINES)
})

test('each of them is noticed', async () => {
  const canvas = new OffscreenCanvas(1, 1)
  const context = canvas.getContext('2d')
  const seen = costlyCallsOf(async () => {
    context?.drawImage(document.createElement('canvas'), 0, 0)
    await Promise.all([fetch('data:,'), canvas.convertToBlob()])
    btoa(JSON.stringify({ logMessage: `${LOG_TEXT} 1` }))
  })
  expect((await seen).toSorted()).toEqual(['btoa', 'convertToBlob', 'drawImage', 'fetch', 'stringify'])
})
