import { type ReadonlySignal, signal } from '@preact/signals-react'
import { FRAME_INTERVAL_MS } from '#protocol/constants.ts'
import type { Camera, CameraState, Clock, FrameCapture, Log } from '../domain/ports.ts'
import { mediaSettings, tierFor } from '../domain/quality-tier.ts'

export type FrameOwner = { email: string; userSessionId: string }
export type DeviceStore = ReturnType<typeof createDeviceStore>

/** Camera and microphone, and the pictures that the dashboard sends for moderation. */
export function createDeviceStore(ports: {
  camera: Camera<MediaStream>
  frames: FrameCapture<MediaStream>
  clock: Clock
  log: Log
}) {
  const { camera, frames, clock, log } = ports
  const state = signal<CameraState>('unknown')
  const stream = signal<MediaStream | null>(null)
  let opening: Promise<MediaStream> | null = null
  let wanted = false
  let stopFrames = () => {}
  /** A dashboard frame is on its way, perhaps since an earlier visit to the dashboard. */
  let busy = false

  async function ask(): Promise<MediaStream> {
    state.value = 'asking'
    try {
      const tier = tierFor(camera.downlink(), camera.weakCpu())
      const opened = await camera.open(mediaSettings(tier, camera.portrait()))
      if (!wanted) {
        camera.close(opened)
        state.value = 'unknown'
        return opened
      }
      stream.value = opened
      state.value = 'granted'
      return opened
    } catch (thrown) {
      state.value = 'refused'
      throw thrown
    } finally {
      opening = null
    }
  }

  function capture(source: MediaStream | null, kind: 'dashboard' | 'reported', owner: FrameOwner): Promise<void> {
    if (!source) {
      log.error('Camera permission is missing to capture video frame')
      return Promise.resolve()
    }
    return frames.capture(source, kind, owner).catch((thrown: unknown) => {
      log.error(`The ${kind} frame was not sent`, thrown)
    })
  }

  return {
    state: state as ReadonlySignal<CameraState>,
    stream: stream as ReadonlySignal<MediaStream | null>,

    /** Opens camera and microphone, once however many ask. Rejects with `camera-refused`. */
    open(): Promise<MediaStream> {
      wanted = true
      const open = stream.peek()
      if (open) return Promise.resolve(open)
      opening ??= ask()
      return opening
    },

    close(): void {
      wanted = false
      stopFrames()
      stopFrames = () => {}
      const open = stream.peek()
      if (open) camera.close(open)
      stream.value = null
      state.value = 'unknown'
    },

    /** Sends a picture every 10 s, one at a time, until the answer is called. Failures are logged only. */
    startFrames(owner: FrameOwner): () => void {
      stopFrames()
      const stop = clock.every(FRAME_INTERVAL_MS, () => {
        if (busy) return
        busy = true
        void capture(stream.peek(), 'dashboard', owner).finally(() => {
          busy = false
        })
      })
      stopFrames = stop
      return stop
    },

    /** Sends one picture of `source`, the own camera by default, as evidence of a report. Never rejects. */
    captureEvidence(owner: FrameOwner, source: MediaStream | null = stream.peek()): Promise<void> {
      return capture(source, 'reported', owner)
    },
  }
}
