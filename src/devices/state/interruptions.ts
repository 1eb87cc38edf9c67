import { computed, signal } from '@preact/signals-react'
import type { MediaKind } from '../ports.ts'
import type { Interruption } from '../rules/interruption.ts'

export type Interruptions = ReturnType<typeof createInterruptions>

const mediaKinds: readonly MediaKind[] = ['video', 'audio']

/** At most one interruption for each kind of device. */
export function createInterruptions() {
  const all = signal<Partial<Record<MediaKind, Interruption>>>({})
  return {
    /** The interruption to show: the camera's before the microphone's; null without any. */
    first: computed(() => all.value.video ?? all.value.audio ?? null),
    of: (kind: MediaKind): Interruption | null => all.peek()[kind] ?? null,
    /** Returns the kinds of devices with such an interruption. */
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
