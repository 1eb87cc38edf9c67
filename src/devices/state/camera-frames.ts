import type { ReadonlySignal } from '@preact/signals-react'
import { FRAME_INTERVAL_MS } from '#protocol/constants.ts'
import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { FrameCapture, FrameOwner, SendFrame } from '../ports.ts'

/** Sends camera pictures for moderation. */
export function createCameraFrames(
  ports: {
    frames: FrameCapture<MediaStream>
    clock: Clock
    log: Log
    /** Tells the user that the browser replaces the pictures by noise. */
    changed: () => void
  },
  stream: ReadonlySignal<MediaStream | null>,
) {
  const { frames, clock, log, changed } = ports
  let isChangeTold = false
  let stop = () => {}
  /** True while a dashboard frame is being sent, also if that began at an earlier stay on the dashboard. */
  let busy = false
  /** The picture kept for a report; resolves with null if it could not be captured. */
  let kept: Promise<SendFrame | null> | null = null

  async function capture(
    source: MediaStream | null,
    kind: 'dashboard' | 'reported',
    owner: FrameOwner,
  ): Promise<OnlineCounts | null> {
    if (!source) {
      log.error('Camera permission is missing to capture video frame')
      return null
    }
    try {
      return await frames.capture(source, kind, owner)
    } catch (thrown) {
      log.error(`The ${kind} frame was not sent`, thrown)
      return null
    }
  }

  async function tellChange(): Promise<void> {
    if (isChangeTold) return
    try {
      const isNews = (await frames.areChanged()) && !isChangeTold
      isChangeTold = true
      if (isNews) changed()
    } catch (thrown) {
      log.error('The pictures could not be compared', thrown)
    }
  }

  return {
    /**
     * Sends a picture every 10 s, one at a time. `told` is called with the online counts of the server's responses.
     * Failures are only logged. Returns a function that stops it.
     */
    startFrames(owner: FrameOwner, told: (online: OnlineCounts) => void): () => void {
      stop()
      void tellChange()
      let isStopped = false
      const stopBeats = clock.every(FRAME_INTERVAL_MS, async () => {
        if (busy) return
        busy = true
        const online = await capture(stream.peek(), 'dashboard', owner)
        busy = false
        if (online && !isStopped) told(online)
      })
      stop = () => {
        isStopped = true
        stopBeats()
      }
      return stop
    },

    stopFrames: () => stop(),

    /** Sends a picture of the user's own camera as evidence of a report. Never rejects. */
    async captureEvidence(owner: FrameOwner): Promise<void> {
      await capture(stream.peek(), 'reported', owner)
    },

    /** Captures the peer's picture for a possible report, before a dialog covers it or the call ends. */
    keepEvidence(peer: MediaStream | null): void {
      kept =
        peer &&
        frames.keep(peer).catch((thrown: unknown) => {
          log.error('The picture of the peer was not taken', thrown)
          return null
        })
    },

    /** Sends the captured picture; if there is none, captures and sends the peer's current picture. Never rejects. */
    async sendEvidence(owner: FrameOwner, peer: MediaStream | null): Promise<void> {
      const taken = kept
      kept = null
      if (!taken) {
        await capture(peer, 'reported', owner)
        return
      }
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
