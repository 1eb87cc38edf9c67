import type { Role } from '#protocol/hub.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { MatchFacts, SetupTimes, SideFacts } from './rules/match-outcome.ts'
import type { SentEvent } from './rules/ports.ts'

type Deps = {
  clock: Clock
  times: SetupTimes
  /** Called once it is sure that a side will not take its step. */
  gaveUp: () => void
}

type SetupFacts = Pick<MatchFacts, 'hasOffer' | 'hasAnswer' | 'owedMs'> & Record<Role, Omit<SideFacts, 'sawPeer'>>
type SideState = { reachedAt: number | null; hasSpoken: boolean; hasDropped: boolean }

const newSide = (): SideState => ({ reachedAt: null, hasSpoken: false, hasDropped: false })

/** Watches the steps to a call: each side introduces itself, then the Caller offers and the Callee answers. */
export class SetupWatch {
  readonly #deps: Deps
  readonly #sides: Record<Role, SideState> = { Caller: newSide(), Callee: newSide() }
  #hasOffer = false
  #hasAnswer = false
  /** Since when a side knows that it owes the next step; null before. */
  #owedSince: number | null = null
  #cancels: (() => void)[] = []

  constructor(deps: Deps) {
    this.#deps = deps
  }

  announced(role: Role, sent: SentEvent): void {
    sent.whenSettled((isDelivered) => {
      if (!isDelivered) return
      const { clock, times } = this.#deps
      const side = this.#sides[role]
      side.reachedAt = clock.now()
      if (!side.hasSpoken) this.#giveUpAfter(times.silentMs, role, () => !side.hasSpoken)
      if (role === 'Caller' && !this.#hasOffer) this.#await(role, () => !this.#hasOffer)
    })
  }

  spoke(role: Role): void {
    this.#sides[role].hasSpoken = true
  }

  offered(sent: SentEvent): void {
    this.spoke('Caller')
    if (this.#hasOffer) return
    this.#hasOffer = true
    this.#owedSince = null
    sent.whenSettled((isDelivered) => {
      if (isDelivered && !this.#hasAnswer) this.#await('Callee', () => !this.#hasAnswer)
    })
  }

  answered(): void {
    this.spoke('Callee')
    this.#hasAnswer = true
    this.stop()
  }

  /** The user's connection is gone: nobody knows what the user would have done. */
  dropped(role: Role): void {
    this.#sides[role].hasDropped = true
  }

  stop(): void {
    for (const cancel of this.#cancels.splice(0)) cancel()
  }

  facts(now: number): SetupFacts {
    const factsOf = ({ reachedAt, hasSpoken, hasDropped }: SideState) => {
      const isReached = reachedAt !== null && !hasDropped
      return { isReached, hasSpoken, silentMs: isReached && !hasSpoken ? now - reachedAt : 0 }
    }
    return {
      hasOffer: this.#hasOffer,
      hasAnswer: this.#hasAnswer,
      owedMs: this.#owedSince === null ? null : now - this.#owedSince,
      Caller: factsOf(this.#sides.Caller),
      Callee: factsOf(this.#sides.Callee),
    }
  }

  #await(role: Role, isOwed: () => boolean): void {
    const { clock, times } = this.#deps
    this.#owedSince = clock.now()
    this.#giveUpAfter(times.owedMs, role, isOwed)
  }

  #giveUpAfter(ms: number, role: Role, isOwed: () => boolean): void {
    const { clock, gaveUp } = this.#deps
    const task = () => {
      if (isOwed() && !this.#sides[role].hasDropped) gaveUp()
    }
    this.#cancels.push(clock.after(ms, task))
  }
}
