import type { Role } from '#protocol/hub.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { MatchFacts, SetupTimes, SideFacts } from './rules/match-outcome.ts'
import type { SentEvent } from './rules/ports.ts'

type Deps = {
  clock: Clock
  times: SetupTimes
  /** Called when a side whose connection has not dropped does not take its step in time. */
  gaveUp: () => void
}

type SetupFacts = Pick<MatchFacts, 'hasOffer' | 'hasAnswer' | 'owedMs'> & Record<Role, Omit<SideFacts, 'sawPeer'>>
type SideState = { reachedAt: number | null; hasSpoken: boolean; hasDropped: boolean }

const newSide = (): SideState => ({ reachedAt: null, hasSpoken: false, hasDropped: false })

/** Watches the steps to a call: each side introduces itself, then the Caller offers and the Callee answers. */
export function watchSetup({ clock, times, gaveUp }: Deps) {
  const sides: Record<Role, SideState> = { Caller: newSide(), Callee: newSide() }
  let hasOffer = false
  let hasAnswer = false
  /** When the side that owes the next step learned of it; null before. */
  let owedSince: number | null = null
  const cancels: (() => void)[] = []

  function giveUpAfter(ms: number, role: Role, isOwed: () => boolean): void {
    const task = () => {
      if (isOwed() && !sides[role].hasDropped) gaveUp()
    }
    cancels.push(clock.after(ms, task))
  }

  function awaitStep(role: Role, isOwed: () => boolean): void {
    owedSince = clock.now()
    giveUpAfter(times.owedMs, role, isOwed)
  }

  function stop(): void {
    for (const cancel of cancels.splice(0)) cancel()
  }

  return {
    announced(role: Role, sent: SentEvent): void {
      sent.whenSettled((isDelivered) => {
        if (!isDelivered) return
        const side = sides[role]
        side.reachedAt = clock.now()
        if (!side.hasSpoken) giveUpAfter(times.silentMs, role, () => !side.hasSpoken)
        if (role === 'Caller' && !hasOffer) awaitStep(role, () => !hasOffer)
      })
    },

    spoke(role: Role): void {
      sides[role].hasSpoken = true
    },

    offered(sent: SentEvent): void {
      sides.Caller.hasSpoken = true
      if (hasOffer) return
      hasOffer = true
      owedSince = null
      sent.whenSettled((isDelivered) => {
        if (isDelivered && !hasAnswer) awaitStep('Callee', () => !hasAnswer)
      })
    },

    answered(): void {
      sides.Callee.hasSpoken = true
      hasAnswer = true
      stop()
    },

    /** Records that the connection of this side dropped: `gaveUp` is no longer called for a missing step of this side. */
    dropped(role: Role): void {
      sides[role].hasDropped = true
    },

    stop,

    facts(now: number): SetupFacts {
      const factsOf = ({ reachedAt, hasSpoken, hasDropped }: SideState) => {
        const isReached = reachedAt !== null && !hasDropped
        return { isReached, hasSpoken, silentMs: isReached && !hasSpoken ? now - reachedAt : 0 }
      }
      const owedMs = owedSince === null ? null : now - owedSince
      return { hasOffer, hasAnswer, owedMs, Caller: factsOf(sides.Caller), Callee: factsOf(sides.Callee) }
    },
  }
}

export type SetupWatch = ReturnType<typeof watchSetup>
