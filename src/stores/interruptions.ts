import { computed, signal } from '@preact/signals-react'
import type { MediaTrouble } from '../domain/media-trouble.ts'
import type { MediaKind } from '../domain/ports.ts'

/** Why an open device stopped: paused by the system, or removed; `trouble` is the reason why no other replaced it. */
export type Interruption =
  | { kind: MediaKind; what: 'paused' }
  | { kind: MediaKind; what: 'lost'; trouble: MediaTrouble | null }

export type Interruptions = ReturnType<typeof createInterruptions>

const mediaKinds: readonly MediaKind[] = ['video', 'audio']

/** At most one interruption for each kind of device. */
export function createInterruptions() {
  const all = signal<Partial<Record<MediaKind, Interruption>>>({})
  return {
    /** The camera's before the microphone's; null while there is none. */
    first: computed(() => all.value.video ?? all.value.audio ?? null),
    of: (kind: MediaKind): Interruption | null => all.peek()[kind] ?? null,
    /** The kinds of device that are interrupted so. */
    kinds: (what: Interruption['what']): MediaKind[] => mediaKinds.filter((kind) => all.peek()[kind]?.what === what),
    isLost: (kind: MediaKind): boolean => all.peek()[kind]?.what === 'lost',
    begin(interruption: Interruption): void {
      all.value = { ...all.peek(), [interruption.kind]: interruption }
    },
    end(kind: MediaKind): void {
      const { [kind]: _, ...rest } = all.peek()
      all.value = rest
    },
    clear(): void {
      all.value = {}
    },
  }
}
