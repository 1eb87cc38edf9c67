import type { ReadonlySignal } from '@preact/signals-react'
import { FRAME_INTERVAL_MS } from '#protocol/constants.ts'
import type { Clock, FrameCapture, FrameOwner, Log, SendFrame } from '../domain/ports.ts'

/** Sends pictures of the camera for moderation. */
export function createCameraFrames(
  ports: { frames: FrameCapture<MediaStream>; clock: Clock; log: Log },
  stream: ReadonlySignal<MediaStream | null>,
) {
  const { frames, clock, log } = ports
  let stop = () => {}
  /** A dashboard frame is being sent, perhaps since an earlier visit to the dashboard. */
  let busy = false
  /** The picture for a report; resolves with null where it could not be taken. */
  let kept: Promise<SendFrame | null> | null = null

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
    /** Sends a picture every 10 s, one at a time. Failures are logged only. Returns a function that stops it. */
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

    /** Sends one picture of the user's own camera as evidence of a report. Never rejects. */
    captureEvidence: (owner: FrameOwner): Promise<void> => capture(stream.peek(), 'reported', owner),

    /** Takes a picture of the peer for a report that may follow, before a dialog covers the video or the peer leaves. */
    keepEvidence(peer: MediaStream | null): void {
      kept =
        peer &&
        frames.keep(peer).catch((thrown: unknown) => {
          log.error('The picture of the peer was not taken', thrown)
          return null
        })
    },

    /** Sends the picture that was kept, or without one a picture of the peer taken now. Never rejects. */
    async sendEvidence(owner: FrameOwner, peer: MediaStream | null): Promise<void> {
      const taken = kept
      kept = null
      if (!taken) return capture(peer, 'reported', owner)
      try {
        const send = await taken
        await (send ? send(owner) : capture(peer, 'reported', owner))
      } catch (thrown) {
        log.error('The reported frame was not sent', thrown)
      }
    },

    forgetEvidence(): void {
      kept = null
    },
  }
}
