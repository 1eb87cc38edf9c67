import type { Page } from 'playwright'
import { sampleOf } from '../../../src/call/peer/call-stats.ts'
import type { CallSample } from '../../../src/call/rules/call-reading.ts'

/** What one person receives, read twice a second. Counters begin with the connection. */
export type Snapshot = {
  /** Milliseconds since the picture of the first connection was asked for. */
  at: number
  frames: number
  lines: number
  frozenSeconds: number
  concealed: number
  sounded: number
  bytes: number
  /** Seconds since the last new frame. */
  stillSeconds: number
  jitterBufferMs: number
  roundTripMs: number
  /** The browser's estimate of the outgoing bandwidth in kbit/s. */
  availableKbps: number
  /** What the product allows the sent picture; 0 without a picture. */
  allowedKbps: number
}

/** What the page keeps. `recorded` has the statistics of every second reading. */
type Metered = typeof globalThis & {
  connections: RTCPeerConnection[]
  snapshots: Snapshot[]
  recorded: { at: number; entries: unknown[] }[]
  codecs: string
}

/** Begins to read the statistics of the page's connected peer connection. */
export async function startMeter(page: Page): Promise<void> {
  await page.evaluate(() => {
    const metered = globalThis as Metered
    metered.snapshots = []
    metered.recorded = []
    const start = performance.now()
    let lastFrames = 0
    let lastFrameAt = start

    function allowed(connection: RTCPeerConnection): number {
      const sender = connection.getSenders().find(({ track }) => track?.kind === 'video')
      const [encoding] = sender?.getParameters().encodings ?? []
      return encoding?.active ? (encoding.maxBitrate ?? 0) / 1_000 : 0
    }

    async function read(): Promise<void> {
      const connection = metered.connections.findLast(({ connectionState }) => connectionState === 'connected')
      if (!connection) return
      const stats = [...(await connection.getStats()).values()]
      const find = (type: string, kind?: string) =>
        stats.find((entry) => entry.type === type && (kind === undefined || entry.kind === kind)) ?? {}
      const picture = find('inbound-rtp', 'video')
      const sound = find('inbound-rtp', 'audio')
      const transport = find('transport')
      const { selectedCandidatePairId } = transport
      const pair = stats.find(({ id }) => id === selectedCandidatePairId) ?? {}
      const now = performance.now()
      const frames = picture.framesDecoded ?? 0
      if (frames !== lastFrames) lastFrameAt = now
      lastFrames = frames
      const codecName = (entry: { codecId?: string }) =>
        stats.find(({ id }) => id === entry.codecId)?.mimeType ?? 'none'
      metered.codecs = `${codecName(picture)} ${codecName(sound)}`
      if (metered.snapshots.length % 2 === 0) metered.recorded.push({ at: now, entries: stats })
      metered.snapshots.push({
        at: now - start,
        frames,
        lines: picture.frameHeight ?? 0,
        frozenSeconds: picture.totalFreezesDuration ?? 0,
        concealed: sound.concealedSamples ?? 0,
        sounded: sound.totalSamplesReceived ?? 0,
        // Of all candidate pairs that were used, with IP and UDP headers.
        bytes:
          (transport.bytesSent ?? 0) +
          (transport.bytesReceived ?? 0) +
          28 * ((transport.packetsSent ?? 0) + (transport.packetsReceived ?? 0)),
        stillSeconds: (now - lastFrameAt) / 1_000,
        allowedKbps: allowed(connection),
        availableKbps: (pair.availableOutgoingBitrate ?? 0) / 1_000,
        roundTripMs: 1_000 * (pair.currentRoundTripTime ?? 0),
        jitterBufferMs: (1_000 * (picture.jitterBufferDelay ?? 0)) / (picture.jitterBufferEmittedCount || 1),
      })
    }
    setInterval(() => void read(), 500)
  })
}

export function readMeter(page: Page): Promise<{ snapshots: Snapshot[]; codecs: string }> {
  return page.evaluate(() => {
    const { snapshots, codecs } = globalThis as Metered
    return { snapshots, codecs }
  })
}

/** The samples of the call as the product takes them, one a second. */
export async function readRecording(page: Page): Promise<CallSample[]> {
  const recorded = await page.evaluate(() => (globalThis as Metered).recorded)
  return recorded.map(({ at, entries }) => sampleOf(entries, at))
}

export type Quality = {
  fps: number
  lines: number
  /** Shares of the time. */
  frozen: number
  concealed: number
  /** Seconds until the first second of a full picture; null if there was none. */
  fullAfter: number | null
  longestStill: number
  megabytesAnHour: number
}

/** The end of a call, in which sound must arrive. */
const LAST_SECONDS = 10

const FULL_LINES = 0.98 * 480
const FULL_FRAMES_A_SECOND = 0.9 * 30

/** The quality of a call from `fromSecond` after its first snapshot. */
export function qualityOf(all: readonly Snapshot[], fromSecond: number): Quality {
  const startAt = all[0]?.at ?? 0
  const snapshots = all.filter(({ at }) => at - startAt >= fromSecond * 1_000)
  const [first, last] = [snapshots[0], snapshots.at(-1)]
  if (!first || !last || last.at <= first.at)
    return {
      fps: 0,
      lines: 0,
      frozen: 1,
      concealed: 1,
      fullAfter: null,
      longestStill: Number.POSITIVE_INFINITY,
      megabytesAnHour: 0,
    }
  const seconds = (last.at - first.at) / 1_000
  const shown = snapshots.slice(1).map(({ frames, lines }, index) => ({
    lines,
    frames: frames - (snapshots[index]?.frames ?? 0),
  }))
  const frames = last.frames - first.frames
  // A freeze counts in the statistics only once it has ended.
  const frozenSeconds = last.frozenSeconds - first.frozenSeconds + (last.stillSeconds > 1 ? last.stillSeconds : 0)
  return {
    fps: frames / seconds,
    lines: frames === 0 ? 0 : shown.reduce((sum, each) => sum + each.lines * each.frames, 0) / frames,
    frozen: Math.min(1, frozenSeconds / seconds),
    concealed: (last.concealed - first.concealed) / Math.max(1, last.sounded - first.sounded),
    fullAfter: fullAfter(all, 0),
    longestStill: Math.max(...snapshots.map(({ stillSeconds }) => stillSeconds)),
    megabytesAnHour: ((last.bytes - first.bytes) / 1e6 / seconds) * 3_600,
  }
}

/** Whether the call was connected for all these seconds, by one connection, and had sound in the last ones. */
export function hasStood(all: readonly Snapshot[], seconds: number): boolean {
  const [first, last] = [all[0], all.at(-1)]
  const late = all.findLast(({ at }) => at < (last?.at ?? 0) - LAST_SECONDS * 1_000)
  if (!first || !last || !late || last.at - first.at < (seconds - 2) * 1_000) return false
  const isOne = all.every(({ sounded }, index) => sounded >= (all[index - 1]?.sounded ?? 0))
  return isOne && last.sounded - last.concealed > late.sounded - late.concealed
}

/** Seconds from `fromSecond` until a second of a full picture. */
export function fullAfter(all: readonly Snapshot[], fromSecond: number): number | null {
  const startAt = (all[0]?.at ?? 0) + fromSecond * 1_000
  for (const [index, now] of all.entries()) {
    const before = all[index - 2]
    if (!before || before.at < startAt) continue
    const rate = ((now.frames - before.frames) * 1_000) / (now.at - before.at)
    if (now.lines >= FULL_LINES && rate >= FULL_FRAMES_A_SECOND) return (now.at - startAt) / 1_000
  }
  return null
}
