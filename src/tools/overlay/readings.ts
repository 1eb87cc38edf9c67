import { followSpans } from '#workers/trace.ts'

/** What the overlay shows. Times in ms; null where there is none, or the browser does not tell. */
export type Reading = {
  framesPerSecond: number
  longTasks: { count: number; lastMs: number } | null
  queue: { lastMs: number; mostMs: number } | null
  bitrate: Bitrate | null
}
type Bitrate = { upKbps: number; downKbps: number }
type Counted = { connection: RTCPeerConnection; at: number; sent: number; received: number }

/** The labels of `workers/rpc.ts`, as in "queue request #12". */
const QUEUE = /^queue \S+ #\d+$/
const SECOND_MS = 1_000
const BITS = 8
/** The product reads the statistics every second or every second one; without a reading for longer there is no call. */
const READING_MAX_AGE_MS = 5_000
/** Over less time the rate is chance. */
const READING_MIN_MS = 500

/** Measures from now on. Statistics are those that the product reads anyway. */
export function startReadings(): { read(): Reading; stop(): void } {
  const frames = countFrames()
  const tasks = countLongTasks()
  const queue = measureQueue()
  const bitrate = measureBitrate()
  return {
    read: () => ({
      framesPerSecond: frames.read(),
      longTasks: tasks.read(),
      queue: queue.read(),
      bitrate: bitrate.read(),
    }),
    stop() {
      for (const part of [frames, tasks, queue, bitrate]) part.stop()
    },
  }
}

function countFrames() {
  let count = 0
  let since = performance.now()
  function countDrawn(): void {
    count += 1
    handle = requestAnimationFrame(countDrawn)
  }
  let handle = requestAnimationFrame(countDrawn)
  return {
    read(): number {
      const now = performance.now()
      const perSecond = (count * SECOND_MS) / Math.max(1, now - since)
      count = 0
      since = now
      return perSecond
    },
    stop: () => cancelAnimationFrame(handle),
  }
}

function countLongTasks() {
  if (!PerformanceObserver.supportedEntryTypes.includes('longtask')) return { read: () => null, stop: () => {} }
  const tasks = { count: 0, lastMs: 0 }
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      tasks.count += 1
      tasks.lastMs = duration
    }
  })
  observer.observe({ type: 'longtask' })
  return { read: () => tasks, stop: () => observer.disconnect() }
}

function measureQueue() {
  let waits: Reading['queue'] = null
  const stop = followSpans(({ track, label, start, end }) => {
    if (track !== 'Workers' || !QUEUE.test(label)) return
    // The clocks of two threads differ a little.
    const lastMs = Math.max(0, end - start)
    waits = { lastMs, mostMs: Math.max(lastMs, waits?.mostMs ?? 0) }
  })
  return { read: () => waits, stop }
}

function measureBitrate() {
  let before: Counted | null = null
  let last: (Bitrate & { at: number }) | null = null

  function take(connection: RTCPeerConnection, report: RTCStatsReport): void {
    const now = countedOf(connection, report)
    const ms = now.at - (before?.at ?? 0)
    if (before?.connection === connection && ms < READING_MIN_MS) return
    if (before?.connection === connection) {
      const kbps = (bytes: number) => (Math.max(0, bytes) * BITS) / ms
      last = { upKbps: kbps(now.sent - before.sent), downKbps: kbps(now.received - before.received), at: now.at }
    }
    before = now
  }

  return {
    read: () => (last && performance.now() - last.at < READING_MAX_AGE_MS ? last : null),
    stop: followStatistics(take),
  }
}

function countedOf(connection: RTCPeerConnection, report: RTCStatsReport): Counted {
  const counted: Counted = { connection, at: performance.now(), sent: 0, received: 0 }
  for (const { type, bytesSent = 0, headerBytesSent = 0, bytesReceived = 0, headerBytesReceived = 0 } of [
    ...report.values(),
  ]) {
    if (type === 'outbound-rtp') counted.sent += bytesSent + headerBytesSent
    if (type === 'inbound-rtp') counted.received += bytesReceived + headerBytesReceived
  }
  return counted
}

/** Calls `take` with each reading of a peer connection's statistics. Returns a function that ends it. */
function followStatistics(take: (connection: RTCPeerConnection, report: RTCStatsReport) => void): () => void {
  const { prototype } = RTCPeerConnection
  const { getStats } = prototype
  prototype.getStats = async function getStatsFollowed(selector?: MediaStreamTrack | null) {
    const report = await getStats.call(this, selector)
    take(this, report)
    return report
  }
  return () => {
    prototype.getStats = getStats
  }
}
