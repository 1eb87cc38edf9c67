import type { Candidate } from '#protocol/hub.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { withoutAddresses } from './rules/sdp-addresses.ts'

/** How long the addresses of a match are held when one of its users has often ended matches early. */
const HOLD_MS = 1_000
/** Characters held per match; the candidates of two browsers need far fewer. */
const HELD_CHARACTERS_MAX = 64 * 1024

type HeldCandidate = { to: string; data: string }

/**
 * Holds the network addresses of both users of a match for a while. A browser that gets an address sends packets to it
 * at once, and these reveal the browser's own address.
 */
export class HeldAddresses {
  /** Null once the hold is over. */
  #held: HeldCandidate[] | null = []
  #size = 0
  readonly #cancel: () => void

  /** Calls `release` with each held candidate, in order, after `HOLD_MS`. */
  constructor(clock: Pick<Clock, 'after'>, release: (to: string, data: string) => void) {
    this.#cancel = clock.after(HOLD_MS, () => {
      const held = this.#held ?? []
      this.#held = null
      for (const { to, data } of held) release(to, data)
    })
  }

  get isOver(): boolean {
    return this.#held === null
  }

  /** Returns false when more than `HELD_CHARACTERS_MAX` would be held. */
  holdCandidate(to: string, data: string): boolean {
    if (this.#size + data.length > HELD_CHARACTERS_MAX) return false
    this.#size += data.length
    this.#held?.push({ to, data })
    return true
  }

  /** Returns the description without addresses, as JSON, and holds its candidates. Returns null when too much is held. */
  holdAddressesOf(to: string, type: 'offer' | 'answer', described: string): string | null {
    const { sdp, candidates } = withoutAddresses(described)
    const isHeld = (candidate: Candidate) => this.holdCandidate(to, JSON.stringify(candidate))
    return candidates.every(isHeld) ? JSON.stringify({ type, sdp }) : null
  }

  /** Drops the held candidates at the end of the match. */
  stop(): void {
    this.#cancel()
    this.#held = null
  }
}
