import { expect, onTestFinished, test } from 'vitest'
import { server } from 'vitest/browser'
import { createDeviceInfo } from '../../../src/account/io/device-info.ts'
import { browserClock } from '../../../src/platform/io/browser-clock.ts'
import { createLog } from '../../../src/platform/io/network.ts'
import { createStorage } from '../../../src/platform/io/storage.ts'
import { createWorkers } from '../../../src/platform/io/workers.ts'
import { openRoom } from '../../support/browser/api-room.ts'
import { crash, startWorkers } from '../../support/browser/test-workers.ts'

test("a provider's picture arrives as a blob of its type", async () => {
  const { baseUrl } = await openRoom({ 'me.png': [{ bytes: 10, headers: { 'content-type': 'image/png' } }] })
  const picture = await startWorkers({ baseUrl }).network().fetchPicture(`${baseUrl}/me.png`)
  expect(picture).toMatchObject({ size: 10, type: 'image/png' })
})

test.for([
  ['wrong-type', { text: '<html>', headers: { 'content-type': 'text/html' } }],
  ['too-large', { bytes: 5 * 1024 * 1024 + 1, headers: { 'content-type': 'image/png' } }],
  ['http-error', { status: 404 }],
  ['network-error', { fault: 'at-once' }],
  ['network-error', { text: 'abc', headers: { 'content-type': 'image/png' }, fault: 'half-way' }],
] as const)('a picture is refused with %s (%o)', async ([code, response]) => {
  const { baseUrl } = await openRoom({ 'me.png': [response] })
  const picture = startWorkers({ baseUrl }).network().fetchPicture(`${baseUrl}/me.png`)
  await expect(picture).rejects.toMatchObject({ code })
})

test('a picture is fetched by http only', async () => {
  const { baseUrl } = await openRoom({})
  const picture = startWorkers({ baseUrl }).network().fetchPicture('data:image/png;base64,AAAA')
  await expect(picture).rejects.toMatchObject({ code: 'wrong-type' })
})

test('log entries are sent in one batch, with session id and time, also after the worker died', async () => {
  const { baseUrl, seen } = await openRoom({ 'logs/add': [{ text: 'ok' }], 'users/online/get': [{ fault: 'never' }] })
  const workers = startWorkers({ baseUrl })
  const log = createLog(workers, ['Trace', 'Info', 'Error', 'Exception'])
  log.identify({ userSessionId: 's1', clockOffsetMs: 0 })
  log.trace('zero')
  log.info('one')
  log.error('two')
  log.error('three', new RangeError('why'))
  await workers.network().flushLogs()
  const inFlight = workers.network().request('readOnlineUsers', undefined)
  crash(workers.started.network[0])
  await expect(inFlight).rejects.toMatchObject({ code: 'worker-died' })
  log.info('four')
  await workers.network().flushLogs()
  const batches = (await seen('logs/add')).map((request) => JSON.parse(atob(request.body)) as unknown)
  expect(batches).toMatchObject([
    [
      { userSessionId: 's1', logLevel: 'Info', logMessage: '[trace] zero' },
      { userSessionId: 's1', logLevel: 'Info', logMessage: 'one', platform: 'Web' },
      { userSessionId: 's1', logLevel: 'Error', logMessage: 'two' },
      { userSessionId: 's1', logLevel: 'Exception', logMessage: 'three: RangeError (why)' },
    ],
    [{ userSessionId: 's1', logLevel: 'Info', logMessage: 'four' }],
  ])
})

test('the browser is described', async () => {
  const { baseUrl } = await openRoom({})
  const device = await createDeviceInfo(startWorkers({ baseUrl }))()
  expect(device).toMatchObject({
    browser: expect.stringContaining(server.browser === 'firefox' ? 'Firefox' : 'Chrom') as string,
    os: 'Linux',
    deviceType: 'desktop',
  })
})

test('stored values are there for the next page until they are cleared', async () => {
  const storage = createStorage(browserClock)
  await storage.set('profilePicture', new Blob(['abc'], { type: 'image/png' }))
  await storage.set('note', 'text')
  const next = createStorage(browserClock)
  expect(await next.get('note')).toBe('text')
  expect(await next.get('profilePicture')).toMatchObject({ size: 3, type: 'image/png' })
  await next.set('chosenCamera', 'camera')
  await next.clear(['chosenCamera'])
  expect(await storage.get('note')).toBeUndefined()
  expect(await storage.get('chosenCamera')).toBe('camera')
})

test('reads and writes do not fail in a browser that stores nothing', async () => {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB') ?? {}
  Object.defineProperty(globalThis, 'indexedDB', {
    configurable: true,
    get() {
      throw new DOMException('The operation is insecure', 'SecurityError')
    },
  })
  try {
    const storage = createStorage(browserClock)
    await storage.set('note', 'text')
    expect(await storage.get('note')).toBeUndefined()
    await storage.clear([])
  } finally {
    Object.defineProperty(globalThis, 'indexedDB', original)
  }
})

test('nobody waits for what a silent storage is to write', async () => {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB') ?? {}
  let waits: number[] = []
  const atOnce = (ms: number, task: () => void) => {
    waits = [...waits, ms]
    task()
    return () => {}
  }
  const silent = { open: () => new EventTarget() }
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, value: silent })
  try {
    const storage = createStorage({ after: atOnce })
    await storage.set('note', 'text')
    await storage.clear([])
    expect(waits).toEqual([2_000, 2_000])
  } finally {
    Object.defineProperty(globalThis, 'indexedDB', original)
  }
})

test('a worker that keeps dying is not restarted at every request', async () => {
  const started: Worker[] = []
  const broken = () => {
    const worker = new Worker('/no-such-worker.js', { type: 'module' })
    started.push(worker)
    return worker
  }
  const workers = createWorkers({ network: broken, media: broken })
  onTestFinished(() => workers.stop())
  for (let times = 0; times < 10; times += 1) {
    await expect(workers.network().flushLogs()).rejects.toMatchObject({ code: 'worker-died' })
  }
  expect(started).toHaveLength(3)
})
