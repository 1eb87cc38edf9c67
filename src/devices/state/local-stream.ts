import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import type { Camera, MediaKind, TrackChange } from '../ports.ts'
import type { Interruption } from '../rules/interruption.ts'

export type LocalStream = ReturnType<typeof createLocalStream>

/** The stream of camera and microphone. A device that is switched off stays off when it is replaced. */
export function createLocalStream(
  camera: Camera<MediaStream>,
  interrupted: (kind: MediaKind, what: TrackChange) => void,
) {
  const current = signal<MediaStream | null>(null)
  const on = { audio: signal(true), video: signal(true) }
  /** True while the stream has the black picture of a camera that is off, also while that camera is opened again. */
  const isBlack = signal(false)
  let unwatch = () => {}

  function take(next: MediaStream): void {
    unwatch()
    camera.enable(next, 'audio', on.audio.peek())
    camera.enable(next, 'video', on.video.peek())
    unwatch = camera.watch(next, interrupted)
    current.value = next
  }

  return {
    /** A new object whenever one of its tracks is replaced. */
    current: current as ReadonlySignal<MediaStream | null>,
    microphoneOn: on.audio as ReadonlySignal<boolean>,
    cameraOn: on.video as ReadonlySignal<boolean>,

    isBlack: isBlack as ReadonlySignal<boolean>,

    /** Makes this stream the current stream. `opened` are the kinds of device that were opened for it. */
    show(next: MediaStream, opened: readonly MediaKind[]): void {
      take(next)
      if (opened.includes('video')) isBlack.value = false
    },

    toggle(kind: MediaKind): void {
      on[kind].value = !on[kind].peek()
      const stream = current.peek()
      if (stream) camera.enable(stream, kind, on[kind].peek())
    },

    /** Stops a camera that is switched off, because its light would say that it is on. */
    darken(): void {
      const stream = current.peek()
      if (!stream || on.video.peek()) return
      take(camera.darken(stream))
      isBlack.value = true
    },

    /** Stops the devices, and switches camera and microphone on for the next stream. */
    close(): void {
      unwatch()
      unwatch = () => {}
      const stream = current.peek()
      if (stream) camera.close(stream)
      current.value = null
      isBlack.value = false
      on.audio.value = true
      on.video.value = true
    },
  }
}

export type Interruptions = ReturnType<typeof createInterruptions>

const mediaKinds: readonly MediaKind[] = ['video', 'audio']

/** At most one interruption for each kind of device. */
export function createInterruptions() {
  const all = signal<Partial<Record<MediaKind, Interruption>>>({})
  return {
    /** The camera's interruption, otherwise the microphone's; null while neither is interrupted. */
    first: computed(() => all.value.video ?? all.value.audio ?? null),
    of: (kind: MediaKind): Interruption | null => all.peek()[kind] ?? null,
    /** The kinds of device with an interruption of this sort. */
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
