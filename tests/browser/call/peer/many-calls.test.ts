import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { cdp } from 'vitest/browser'
import { openCamera, takePair } from './peers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    callsInARow: number
  }
}
const calls = inject('callsInARow')
/** What a caller reports at least: an offer, a candidate, the stream, and its connection. */
const SETUP_EVENTS = 5
let local: MediaStream
/** Those of this file: the browser's own counter includes those of the files before, which it may keep for good. */
const opened: WeakRef<RTCPeerConnection>[] = []
const Real = globalThis.RTCPeerConnection
beforeAll(async () => {
  local = await openCamera({ height: 240 })
  globalThis.RTCPeerConnection = class extends Real {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      opened.push(new WeakRef(this))
    }
  }
})
afterAll(() => {
  globalThis.RTCPeerConnection = Real
  for (const track of local.getTracks()) track.stop()
})

type Metrics = { metrics: { name: string; value: number }[] }

/** What is left after a garbage collection. */
async function alive(): Promise<{ connections: number; listeners: number }> {
  const session = cdp() as unknown as { send(method: string): Promise<unknown> }
  await session.send('Performance.enable')
  for (let times = 0; times < 3; times += 1) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = (await session.send('Performance.getMetrics')) as Metrics
  return {
    connections: opened.filter((connection) => connection.deref()).length,
    listeners: metrics.find(({ name }) => name === 'JSEventListeners')?.value ?? Number.NaN,
  }
}

/** Unlike `expect.poll` it keeps no reference to the values. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => requestAnimationFrame(resolve))
}

/** One call from the match to its end, with a video element that shows the peer. */
async function call(): Promise<void> {
  const { caller, callee } = await takePair(local)
  const video = document.createElement('video')
  video.muted = true
  await until(() => caller.reported.some(({ type }) => type === 'remote-stream'))
  for (const event of caller.reported) if (event.type === 'remote-stream') video.srcObject = event.stream
  await until(() => callee.reported.some(({ type }) => type === 'video-arrived'))
  video.srcObject = null
  caller.peer.close()
  callee.peer.close()
}

/** A match that ends during the setup of its call, when the caller has reported `events` events. */
async function brokenCall(events: number): Promise<void> {
  const { caller, callee } = await takePair(local)
  await until(() => caller.reported.length >= events)
  caller.peer.close()
  callee.peer.close()
}

test('matches that end at any moment of the setup leave no connection behind', async () => {
  for (let count = 0; count < calls; count += 1) {
    // Chromium refuses a connection beside 500 that wait for the garbage collector.
    if (count % 20 === 0) await alive()
    await brokenCall(count % SETUP_EVENTS)
  }
  expect(opened.length).toBeGreaterThanOrEqual(2 * calls)
  await expect.poll(async () => (await alive()).connections).toBe(0)
})

test('calls in a row leave no connection and no listener behind', async () => {
  for (let count = 0; count < 3; count += 1) await call()
  const before = await alive()
  for (let count = 0; count < calls; count += 1) await call()
  await expect.poll(async () => (await alive()).connections).toBe(0)
  expect((await alive()).listeners).toBeLessThanOrEqual(before.listeners)
  expect(local.getTracks().every(({ readyState }) => readyState === 'live')).toBe(true)
})
