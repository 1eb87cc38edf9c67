import { followSpans } from '#workers/trace.ts'
import type { TextStore } from '../../platform/texts/texts.ts'
import styles from './overlay.module.css'

type Waits = { lastMs: number; mostMs: number }
type Bitrate = { upKbps: number; downKbps: number }
type Counted = { connection: RTCPeerConnection; at: number; sent: number; received: number }

/** Matches the labels of `workers/rpc.ts`, such as "queue request #12". */
const QUEUE = /^queue \S+ #\d+$/
const EVERY_MS = 1_000
const BITS = 8
/** Age of the last statistics above which there is no call. In a call they are read every second or two. */
const READING_MAX_AGE_MS = 5_000
/** Shortest time between two readings from which a rate is computed. Over less time a rate is chance. */
const READING_MIN_MS = 500

/**
 * Shows over the page, once a second, how long requests to workers wait and the bit rate of the call. The numbers come from statistics that
 * the product reads anyway. Screen readers do not announce them. Returns a function that removes the overlay.
 */
export async function showOverlay(texts: Pick<TextStore, 'need' | 't'>): Promise<() => void> {
  await texts.need('profiling')
  const queue = measureQueue()
  const bitrate = measureBitrate()
  const read = () => linesOf(queue.read(), bitrate.read(), texts)
  const box = document.createElement('div')
  box.className = styles.overlay ?? ''
  box.setAttribute('aria-hidden', 'true')
  box.dataset.overlay = ''
  const lines = read().map((text) => {
    const line = document.createElement('div')
    line.textContent = text
    return line
  })
  box.append(...lines)
  document.body.append(box)

  const timer = setInterval(() => {
    for (const [index, text] of read().entries()) {
      const line = lines[index]
      if (line && line.textContent !== text) line.textContent = text
    }
  }, EVERY_MS)

  return () => {
    clearInterval(timer)
    queue.stop()
    bitrate.stop()
    box.remove()
  }
}

function linesOf(queue: Waits | null, bitrate: Bitrate | null, { t }: Pick<TextStore, 't'>): string[] {
  const whole = (value: number | undefined) => (value === undefined ? '–' : Math.round(value))
  return [
    t('profiling.overlay.queue', { last: whole(queue?.lastMs), most: whole(queue?.mostMs) }),
    t('profiling.overlay.bitrate', { up: whole(bitrate?.upKbps), down: whole(bitrate?.downKbps) }),
  ]
}

function measureQueue() {
  let waits: Waits | null = null
  const stop = followSpans(({ track, label, start, end }) => {
    if (track !== 'Workers' || !QUEUE.test(label)) return
    // The clocks of two threads differ a little, so the difference may be negative.
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

/** Calls `take` with each reading of a peer connection's statistics. Returns a function that ends this. */
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
