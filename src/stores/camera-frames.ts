import type { ReadonlySignal } from '@preact/signals-react'
import { FRAME_INTERVAL_MS } from '#protocol/constants.ts'
import type { Clock, FrameCapture, Log } from '../domain/ports.ts'

export type FrameOwner = { email: string; userSessionId: string }

/** The pictures of the camera that are sent for moderation. */
export function createCameraFrames(
  ports: { frames: FrameCapture<MediaStream>; clock: Clock; log: Log },
  stream: ReadonlySignal<MediaStream | null>,
) {
  const { frames, clock, log } = ports
  let stop = () => {}
  /** A dashboard frame is on its way, perhaps since an earlier visit to the dashboard. */
  let busy = false

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
    /** Sends a picture every 10 s, one at a time, until the answer is called. Failures are logged only. */
    startFrames(owner: FrameOwner): () => void {
      stop()
      stop = clock.every(FRAME_INTERVAL_MS, () => {
        if (busy) return
        busy = true
        void capture(stream.peek(), 'dashboard', owner).finally(() => {
          busy = false
        })
      })
      return stop
    },

    stopFrames: () => stop(),

    /** Sends one picture of `source`, the own camera by default, as evidence of a report. Never rejects. */
    captureEvidence(owner: FrameOwner, source: MediaStream | null = stream.peek()): Promise<void> {
      return capture(source, 'reported', owner)
    },
  }
}
