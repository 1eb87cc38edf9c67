import type { Candidate } from '#protocol/hub.ts'
import { withoutAddresses } from '../hub/rules/sdp-addresses.ts'
import type { Clock } from '../platform/rules/clock.ts'

/** How long the addresses of a match with a quick leaver are held back. */
const HOLD_MS = 1_000
/** Far more than the candidates of two browsers. */
const HELD_CHARACTERS_MAX = 64 * 1024

type Held = { to: string; data: string }

/**
 * Holds back the network addresses that the two sides of a match send each other. In both directions: a browser that learns an address
 * sends packets to it at once, and their source address tells the other side its own.
 */
export class HeldAddresses {
  #held: Held[] | null = []
  #size = 0
  readonly #cancel: () => void

  /** `release` gets each held candidate, in order, when the match has stood long enough. */
  constructor(clock: Pick<Clock, 'after'>, release: (to: string, data: string) => void) {
    this.#cancel = clock.after(HOLD_MS, () => {
      const held = this.#held ?? []
      this.#held = null
      for (const { to, data } of held) release(to, data)
    })
  }

  /** Nothing is held any more. */
  get isOver(): boolean {
    return this.#held === null
  }

  /** False when too much is held. */
  holdCandidate(to: string, data: string): boolean {
    if (this.#size + data.length > HELD_CHARACTERS_MAX) return false
    this.#size += data.length
    this.#held?.push({ to, data })
    return true
  }

  /** The description as it may go out now, its candidates being held. Null when too much is held. */
  holdAddressesOf(to: string, type: 'offer' | 'answer', described: string): string | null {
    const { sdp, candidates } = withoutAddresses(described)
    const isHeld = (candidate: Candidate) => this.holdCandidate(to, JSON.stringify(candidate))
    return candidates.every(isHeld) ? JSON.stringify({ type, sdp }) : null
  }

  /** The match is over. */
  stop(): void {
    this.#cancel()
    this.#held = null
  }
}
