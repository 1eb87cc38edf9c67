// First, because React looks for its hook when it is loaded.
import '../../support/browser/component-runs.ts'

import { afterEach, expect, test, vi } from 'vitest'
import { cdp } from 'vitest/browser'
import lab from '../../../docs/profiling.md?raw'
import { createPages } from '../../../src/app/pages.ts'
import { createPeerConnections } from '../../../src/call/peer/peer-connections.ts'
import { createWorkers } from '../../../src/platform/io/workers.ts'
import { faults, plantFault } from '../../../src/tools/faults/faults.ts'
import { takeRuns } from '../../support/browser/component-runs.ts'

const pages = createPages(async () => {})

/** Resolves with whether the fault is seen; `begin` plants it, or does nothing. */
type Symptom = (begin: () => void) => Promise<boolean>

const ROUNDS = 5
/** What a fault adds to a task; see workers/faults.ts and thread.ts. */
const TASK_MS = 200

async function frames(count: number): Promise<void> {
  for (let seen = 0; seen < count; seen += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
}

/** Opens and closes the connection of one match. */
async function shortMatch(): Promise<void> {
  const local = await navigator.mediaDevices.getUserMedia({ video: true, audio: true })
  createPeerConnections()
    .open('Caller', { servers: [], local, relayOnly: false }, () => {})
    .close()
  for (const track of local.getTracks()) track.stop()
}

async function layouts(): Promise<number> {
  const session = cdp() as unknown as { send(method: string): Promise<unknown> }
  await session.send('Performance.enable')
  const { metrics } = (await session.send('Performance.getMetrics')) as { metrics: { name: string; value: number }[] }
  return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? Number.NaN
}

/** Resolves with the tasks over 50 ms of the round that has fewest: another process on the core can cause one. */
async function fewestLongTasks(work: () => void): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && fewest > 0; round += 1) {
    let count = 0
    const observer = new PerformanceObserver((list) => {
      count += list.getEntries().length
    })
    observer.observe({ type: 'longtask' })
    await new Promise<void>((resolve) => setTimeout(() => resolve(work())))
    // A task is reported after it has ended.
    await frames(2)
    fewest = Math.min(fewest, count + observer.takeRecords().length)
    observer.disconnect()
  }
  return fewest
}

const symptoms: Record<string, Symptom> = {
  async 'worker-task'(begin) {
    begin()
    const workers = createWorkers()
    let fewest = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now()
      await workers.media().encodeChat('hello')
      fewest = Math.min(fewest, performance.now() - start)
    }
    workers.stop()
    return fewest >= TASK_MS
  },

  async 'page-task'(begin) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    begin()
    return (await fewestLongTasks(() => vi.advanceTimersByTime(2_000))) > 0
  },

  async 'lost-message'(begin) {
    begin()
    const socket = new WebSocket('ws://127.0.0.1:9/chathub')
    let received = 0
    socket.onmessage = () => {
      received += 1
    }
    for (let id = 0; id < 10; id += 1)
      socket.dispatchEvent(new MessageEvent('message', { data: `{"type":3,"invocationId":"${id}"}\x1e` }))
    socket.close()
    return received === 8
  },

  async 'late-chunk'(begin) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    begin()
    const arrived = pages.about.load()
    const isWaiting = vi.getTimerCount() > 0
    vi.advanceTimersByTime(4_000)
    expect(await arrived).toBe(pages.about.loaded())
    return isWaiting
  },

  async 'leaked-track'(begin) {
    const clone = vi.spyOn(MediaStreamTrack.prototype, 'clone')
    begin()
    await shortMatch()
    return clone.mock.results.some(({ value }) => value.readyState === 'live')
  },

  async 'leaked-listener'(begin) {
    const [added, removed] = [vi.spyOn(window, 'addEventListener'), vi.spyOn(window, 'removeEventListener')]
    begin()
    await shortMatch()
    return added.mock.calls.filter(([type]) => type === 'resize').length > removed.mock.calls.length
  },

  async 'slow-relay'(begin) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    begin()
    const connection = new RTCPeerConnection()
    const heard: (RTCIceCandidate | null)[] = []
    connection.onicecandidate = ({ candidate }) => heard.push(candidate)
    const candidate = new RTCIceCandidate({ candidate: 'candidate:1 1 udp 1 127.0.0.1 9 typ relay', sdpMid: '0' })
    connection.dispatchEvent(new RTCPeerConnectionIceEvent('icecandidate', { candidate }))
    const wasLate = heard.length === 0
    vi.advanceTimersByTime(3_000)
    expect(heard).toEqual([candidate])
    const { iceTransportPolicy } = connection.getConfiguration()
    connection.close()
    return wasLate && iceTransportPolicy === 'relay'
  },

  async 'blocked-udp'(begin) {
    const used = vi.spyOn(RTCPeerConnection.prototype, 'setConfiguration')
    begin()
    const connection = new RTCPeerConnection()
    const candidates: RTCIceCandidate[] = []
    const gathered = new Promise<void>((resolve) => {
      connection.onicecandidate = ({ candidate }) => (candidate ? candidates.push(candidate) : resolve())
    })
    connection.createDataChannel('any')
    await connection.setLocalDescription()
    await gathered
    const urls = ['turn:a.example', 'turn:a.example?transport=tcp', 'turns:a.example', 'stun:a.example']
    connection.setConfiguration({ iceServers: [{ urls, username: 'u', credential: 'c' }] })
    const [server] = used.mock.lastCall?.[0]?.iceServers ?? []
    // The page sees what it asked for, as on a network that lets no UDP through.
    expect(connection.getConfiguration().iceServers?.flatMap((one) => one.urls)).toEqual(urls)
    connection.close()
    return candidates.length === 0 && String(server?.urls) === 'turn:a.example?transport=tcp,turns:a.example'
  },

  async 'render-storm'(begin) {
    takeRuns()
    begin()
    await frames(10)
    return (takeRuns().PlantedRow ?? 0) >= 600
  },

  async 'layout-thrash'(begin) {
    begin()
    const before = await layouts()
    await frames(10)
    return (await layouts()) - before > 100
  },

  async 'stuck-queue'(begin) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sent = vi.spyOn(Worker.prototype, 'postMessage')
    begin()
    const worker = new Worker(new URL('../../../workers/media/media.worker.ts', import.meta.url), { type: 'module' })
    const texts = () => sent.mock.calls.map(([message]) => message)
    // However long nothing was sent: a request begins the time in which requests are held.
    vi.advanceTimersByTime(3_500)
    for (const text of ['first', 'second']) worker.postMessage(text)
    const wasHeld = texts().length === 0
    vi.advanceTimersByTime(3_000)
    worker.postMessage('third')
    expect(texts()).toEqual(['first', 'second', 'third'])
    vi.advanceTimersByTime(7_000)
    worker.postMessage('fourth')
    expect(texts()).toHaveLength(wasHeld ? 3 : 4)
    worker.terminate()
    return wasHeld
  },

  async 'slow-provider'(begin) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    begin()
    const popup = document.createElement('iframe')
    document.body.append(popup)
    const heard: unknown[] = []
    const hear = ({ data, origin, source }: MessageEvent) => {
      if (source === popup.contentWindow) heard.push([data, origin])
    }
    window.addEventListener('message', hear)
    const told = { data: 'identity', origin: 'https://provider.example', source: popup.contentWindow }
    window.dispatchEvent(new MessageEvent('message', told))
    const wasLate = heard.length === 0
    vi.advanceTimersByTime(3_000)
    window.removeEventListener('message', hear)
    popup.remove()
    expect(heard).toEqual([['identity', 'https://provider.example']])
    return wasLate
  },
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function settle(): void {
  vi.useRealTimers()
  vi.restoreAllMocks()
}

test.each(Object.keys(faults))('%s shows its symptom while it is planted, and only then', async (name) => {
  const isSeen = symptoms[name]
  if (!isSeen) throw new Error(`No symptom of ${name}`)
  expect(await isSeen(() => {})).toBe(false)
  settle()
  let remove = () => {}
  const seen = await isSeen(() => {
    remove = plantFault(name, { pages })
  })
  expect(document.documentElement.dataset.fault).toBe(name)
  remove()
  expect(seen).toBe(true)
  settle()
  expect(await isSeen(() => {})).toBe(false)
})

test('an unknown name plants nothing and says which there are', () => {
  expect(() => plantFault('toString', { pages })).toThrow('there are worker-task, page-task')
  expect(document.documentElement.dataset.fault).toBeUndefined()
})

test('docs/profiling.md describes each fault', () => {
  const described = [...lab.matchAll(/^\| `([a-z-]+)` \| .* \| .* \|$/gm)].map(([, name]) => name)
  expect(described.filter((name) => name && name in faults)).toEqual(Object.keys(faults))
})
