import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import type { MediaTrouble } from '../domain/media-trouble.ts'
import type { MediaKind } from '../domain/ports.ts'

/** A fault of a device that was open: paused by the system, or lost; `trouble` is why it could not be opened again. */
export type Interruption =
  | { kind: MediaKind; what: 'paused' }
  | { kind: MediaKind; what: 'lost'; trouble: MediaTrouble | null }

/** The current interruption of each kind of device. */
export function createInterruptions() {
  const interruptions = signal<Partial<Record<MediaKind, Interruption>>>({})
  return {
    /** The interruption to show; that of the camera first. */
    shown: computed(
      () => interruptions.value.video ?? interruptions.value.audio ?? null,
    ) as ReadonlySignal<Interruption | null>,
    isPaused: (kind: MediaKind): boolean => interruptions.peek()[kind]?.what === 'paused',
    isLost: (kind: MediaKind): boolean => interruptions.peek()[kind]?.what === 'lost',
    /** Returns why a lost device could not be opened again; 'absent' if that is unknown. Null if it is not lost. */
    troubleOf(kind: MediaKind): MediaTrouble | null {
      const interruption = interruptions.peek()[kind]
      return interruption?.what === 'lost' ? (interruption.trouble ?? 'absent') : null
    },
    begin(interruption: Interruption): void {
      interruptions.value = { ...interruptions.peek(), [interruption.kind]: interruption }
    },
    end(kind: MediaKind): void {
      const { [kind]: _, ...rest } = interruptions.peek()
      interruptions.value = rest
    },
    clear(): void {
      interruptions.value = {}
    },
  }
}
