import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals-react'
import { curtainStart, isOwnFlagged, showAnyway } from '../rules/curtain.ts'
import { createCurtainEngine, type EnginePorts } from './curtain-engine.ts'
import { createCurtainSwitch, type SwitchPorts } from './curtain-switch.ts'

/** What is counted of one call, without anything of a person or a picture. */
export type CurtainCounts = { model: string; looks: number; flagged: number; veils: number; shownAnyway: number }

export type CurtainPorts = SwitchPorts &
  EnginePorts & {
    sendCounts: (counts: CurtainCounts) => Promise<unknown>
    /** Id of the match of the open call; null without a call. */
    match: ReadonlySignal<string | null>
  }

export type CurtainStore = ReturnType<typeof createCurtainStore>

/** The safety check of the pictures of a call, on this device alone. */
export function createCurtainStore(ports: CurtainPorts) {
  const { looksToVeil, log, match } = ports
  const safety = createCurtainSwitch(ports)
  const rules = signal(curtainStart)
  const engine = createCurtainEngine(ports, rules, safety)

  // A veil stays until the next call: the peer's last picture may be on the screen for a moment after the end.
  effect(() => {
    if (match.value === null) return
    rules.value = curtainStart
    return () => untracked(endCall)
  })

  effect(() => {
    const isWanted = looksToVeil > 0 && safety.on.value && match.value !== null && engine.hasBegun.value
    if (!isWanted) return
    return untracked(engine.run)
  })

  function endCall(): void {
    const { looks, flagged, veils, isChosen } = rules.peek()
    const model = engine.model.peek()
    engine.endCall()
    if (model === null || looks === 0) return
    const counts = { model, looks, flagged, veils, shownAnyway: Number(isChosen) }
    ports
      .sendCounts(counts)
      .catch((thrown: unknown) => log.error('The counts of the safety check were not sent', thrown))
  }

  return {
    /** False if the operator has switched the check off for everybody. */
    isOffered: looksToVeil > 0,
    state: engine.state,
    on: safety.on,
    restore: safety.restore,
    forget: safety.forget,

    /** Switches the check on or off. Off lifts the veil. */
    choose(next: boolean): void {
      engine.forgetFault()
      safety.choose(next)
      if (!next) rules.value = showAnyway(rules.peek())
    },

    /** True while the peer's picture may not be shown, nor their sound be heard. */
    isVeiled: computed(() => rules.value.isVeiled),
    /** True while the check runs and the peer's browser may have veiled the own picture. */
    isOwnFlagged: computed(() => engine.state.value.phase === 'on' && isOwnFlagged(rules.value, looksToVeil)),
    /** The looks at the peer's picture of this call, null before the first. Another object after every look. */
    seen: computed(() => {
      const { looks, flagged } = rules.value
      const model = engine.model.value
      return match.value !== null && model !== null && looks > 0 ? { model, looks, flagged } : null
    }),

    /** Shows the veiled picture; nothing is veiled any more in this call. */
    showAnyway(): void {
      rules.value = showAnyway(rules.peek())
    },

    /** Called when the video element shows its first frame. Returns a function to be called when it shows no picture any more. */
    showPicture: engine.showPicture,
  }
}
