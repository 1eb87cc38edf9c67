/** One direction of a network that all connections of a phone share. */
export type SlowLink = {
  /** Calls `arrive` when these bytes have passed. The parts of one flow arrive in order; flows take turns, packet by packet. */
  send(flow: object, bytes: number, arrive: () => void): void
}

export type LinkSpeed = { kbitPerSecond: number; delayMs: number }

type Part = { bytes: number; arrive: () => void }

/** Payload of a full TCP packet. */
export const PACKET_BYTES = 1_400
/** Node's timers are no finer. */
const TIMER_MS = 1

/**
 * A queue at the link's rate, then the delay. `speed` returns null for a link without limits. There is neither a connection setup nor
 * TCP's slow start, as with the browser's own throttling.
 */
export function createSlowLink(speed: () => LinkSpeed | null): SlowLink {
  const flows = new Map<object, Part[]>()
  const onTheWay: { arrive: () => void; at: number }[] = []
  /** When the packets so far have left the queue. */
  let freeAt = 0
  let sending = false
  let delivering = false

  function takeNext(): Part | undefined {
    const [first] = flows
    if (!first) return undefined
    const [flow, parts] = first
    const part = parts.shift()
    // To the end of the line.
    flows.delete(flow)
    if (parts.length > 0) flows.set(flow, parts)
    return part
  }

  function pump(): void {
    sending = false
    for (;;) {
      const now = performance.now()
      if (flows.size > 0 && freeAt > now + TIMER_MS) {
        sending = true
        setTimeout(pump, freeAt - now)
        return
      }
      const part = takeNext()
      if (!part) return
      const limits = speed()
      // kbit/s are bits a millisecond.
      freeAt = Math.max(freeAt, now) + (limits ? (part.bytes * 8) / limits.kbitPerSecond : 0)
      onTheWay.push({ arrive: part.arrive, at: freeAt + (limits?.delayMs ?? 0) })
      if (!delivering) deliver()
    }
  }

  function deliver(): void {
    delivering = false
    for (let first = onTheWay[0]; first; first = onTheWay[0]) {
      const left = first.at - performance.now()
      if (left > 0) {
        delivering = true
        setTimeout(deliver, left)
        return
      }
      onTheWay.shift()
      first.arrive()
    }
  }

  return {
    send(flow, bytes, arrive) {
      const parts = flows.get(flow) ?? []
      parts.push({ bytes, arrive })
      flows.set(flow, parts)
      if (!sending) pump()
    },
  }
}
