import { type ReadonlySignal, signal } from '@preact/signals-react'
import { TYPING_INTERVAL_MS, TYPING_SHOWN_MS } from '#protocol/constants.ts'
import type { Clock } from '../../platform/clock.ts'

export type TypingStore = ReturnType<typeof createTypingStore>

type Ports = {
  clock: Pick<Clock, 'now' | 'after'>
  /** Tells the peer of the current match that this user types; nothing about what. */
  tell: () => void
  /** True with the data saver: then the peer is not told. */
  isSaving: () => boolean
}

/** Who types in the chat of the current match. */
export function createTypingStore({ clock, tell, isSaving }: Ports) {
  const isPeerTyping = signal(false)
  let toldAt = Number.NEGATIVE_INFINITY
  let cancel = () => {}

  function forgetPeer(): void {
    cancel()
    isPeerTyping.value = false
  }

  return {
    /** False `TYPING_SHOWN_MS` after the peer's last event, and as soon as a message arrives. */
    isPeerTyping: isPeerTyping as ReadonlySignal<boolean>,

    /** The user has changed the text: tells the peer, at most once in `TYPING_INTERVAL_MS`. */
    typed(): void {
      const now = clock.now()
      if (isSaving() || now - toldAt < TYPING_INTERVAL_MS) return
      toldAt = now
      tell()
    },

    peerTyped(): void {
      cancel()
      isPeerTyping.value = true
      cancel = clock.after(TYPING_SHOWN_MS, forgetPeer)
    },

    forgetPeer,
  }
}
