import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { Camera, MediaKind } from '../ports.ts'

export type LocalStream = ReturnType<typeof createLocalStream>

/** The stream of camera and microphone. A device that is switched off stays off when it is replaced. */
export function createLocalStream(
  camera: Camera<MediaStream>,
  interrupted: (kind: MediaKind, what: 'ended' | 'paused' | 'resumed') => void,
) {
  const current = signal<MediaStream | null>(null)
  const on = { audio: signal(true), video: signal(true) }
  /** True while the stream has the black picture of a camera that is off, or is being opened after it was off. */
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
    /** The stream. It is a new object whenever one of its tracks changes. */
    current: current as ReadonlySignal<MediaStream | null>,
    microphoneOn: on.audio as ReadonlySignal<boolean>,
    cameraOn: on.video as ReadonlySignal<boolean>,

    isBlack: isBlack as ReadonlySignal<boolean>,

    /** Makes this stream the current one. `opened`: the kinds of devices that were newly opened in it. */
    show(next: MediaStream, opened: readonly MediaKind[]): void {
      take(next)
      if (opened.includes('video')) isBlack.value = false
    },

    toggle(kind: MediaKind): void {
      on[kind].value = !on[kind].peek()
      const stream = current.peek()
      if (stream) camera.enable(stream, kind, on[kind].peek())
    },

    /** Stops the camera if it is switched off: its light would say that it is on. */
    darken(): void {
      const stream = current.peek()
      if (!stream || on.video.peek()) return
      take(camera.darken(stream))
      isBlack.value = true
    },

    /** Stops the devices. The next stream begins with both switched on. */
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
