import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { Camera, MediaKind } from '../ports.ts'

export type LocalStream = ReturnType<typeof createLocalStream>

/** The stream of camera and microphone. What is switched off stays off when a device is replaced. */
export function createLocalStream(
  camera: Camera<MediaStream>,
  interrupted: (kind: MediaKind, what: 'ended' | 'paused' | 'resumed') => void,
) {
  const current = signal<MediaStream | null>(null)
  const on = { audio: signal(true), video: signal(true) }
  /** Whether its picture is the black one of a camera that was switched off, also while the camera is opened again. */
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
    /** Another object whenever one of its tracks is another. */
    current: current as ReadonlySignal<MediaStream | null>,
    microphoneOn: on.audio as ReadonlySignal<boolean>,
    cameraOn: on.video as ReadonlySignal<boolean>,

    isBlack: isBlack as ReadonlySignal<boolean>,

    /** Makes this stream the current one, of which devices of these kinds were opened now. */
    show(next: MediaStream, opened: readonly MediaKind[]): void {
      take(next)
      if (opened.includes('video')) isBlack.value = false
    },

    toggle(kind: MediaKind): void {
      on[kind].value = !on[kind].peek()
      const stream = current.peek()
      if (stream) camera.enable(stream, kind, on[kind].peek())
    },

    /** Stops a camera that is switched off: its light would say that it is on. */
    darken(): void {
      const stream = current.peek()
      if (!stream || on.video.peek()) return
      take(camera.darken(stream))
      isBlack.value = true
    },

    /** Stops the devices, and switches both on for the next stream. */
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
