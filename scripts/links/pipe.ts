import type { Link } from './links.ts'

export type LinkClock = {
  /** Returns milliseconds since an arbitrary start; they never go back. */
  now(): number
  /** Runs `task` once after `ms`. Returns a function that cancels the timer. */
  after(ms: number, task: () => void): () => void
}

export const linkClock: LinkClock = {
  now: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

/** Longest queue before the narrow part of the link, as the time to send it. A packet that does not fit is dropped. */
const QUEUE_MS = 400
/** Least queue of a slow link: ten full packets. */
const QUEUE_BYTES_MIN = 12_000
/** IP and UDP headers of a packet. */
const HEADER_BYTES = 28
const BITS = 8

/** One direction of one client's link. */
export type Pipe = ReturnType<typeof createPipe>

/**
 * Delivers packets as `link()` says at the time when each is taken: a change applies to the packets after it. First a queue sends them one
 * after another at the link's rate; a packet is dropped if the queue is too long. Then some packets are lost, after they have used their
 * share of the rate. The others arrive after delay and jitter, in the order in which they were taken. `random` returns numbers from 0 to 1.
 */
export function createPipe(
  link: () => Link,
  deliver: (packet: Buffer) => void,
  random: () => number,
  clock: LinkClock,
) {
  const waiting: { packet: Buffer; at: number }[] = []
  const isLost = createLoss(link, random)
  /** When all packets so far will have left the queue. */
  let freeAt = 0
  let cancel: (() => void) | undefined
  let isClosed = false

  /** Delivers the packets that are due. A packet that is due waits for those before it. */
  function pass(): void {
    cancel = undefined
    const now = clock.now()
    for (let first = waiting[0]; first && first.at <= now; first = waiting[0]) {
      waiting.shift()
      deliver(first.packet)
    }
    const [first] = waiting
    if (first) cancel = clock.after(first.at - now, pass)
  }

  return {
    /** Delivers `packet` later, or drops it. */
    take(packet: Buffer): void {
      if (isClosed) return
      const { kbitPerSecond, delayMs, jitterMs } = link()
      const now = clock.now()
      const queuedMs = Math.max(0, freeAt - now)
      if (queuedMs > Math.max(QUEUE_MS, (QUEUE_BYTES_MIN * BITS) / kbitPerSecond)) return
      freeAt = now + queuedMs + ((packet.length + HEADER_BYTES) * BITS) / kbitPerSecond
      if (isLost()) return
      // Jitter that is longer than the delay does not deliver a packet before the queue has sent it.
      const ownDelay = Math.max(0, delayMs + (random() * 2 - 1) * jitterMs)
      waiting.push({ packet, at: freeAt + ownDelay })
      cancel ??= clock.after(freeAt + ownDelay - now, pass)
    },
    /** Drops the packets on the way, and every later packet. */
    close(): void {
      isClosed = true
      cancel?.()
      waiting.length = 0
    },
  }
}

/** Two states, lossless and lossy, with the mean share and length of losses that the link names. */
function createLoss(link: () => Link, random: () => number): () => boolean {
  let isLossy = false
  return () => {
    const { loss, burst } = link()
    if (burst <= 1) return random() < loss
    const leaves = 1 / burst
    const enters = (loss * leaves) / (1 - loss)
    isLossy = random() < (isLossy ? 1 - leaves : enters)
    return isLossy
  }
}
