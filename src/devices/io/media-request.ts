import type { Clock } from '../../platform/clock.ts'
import { within } from '../../platform/rules/within.ts'
import { type Constraints, relaxed } from './media-constraints.ts'
import type { MediaPermissions } from './media-permissions.ts'

/**
 * Longest wait for a device that may open without a question. Some drivers never answer, and some browsers do not after
 * their question was closed. A slow phone opens its camera within five seconds.
 */
const OPEN_MS = 15_000
/** Longest wait while the browser asks the user. */
const QUESTION_MS = 60_000
/** Longest wait for the list of devices, which needs no answer of the user. */
const LIST_MS = 3_000

/** Requests devices from the browser, with time limits. */
export function createMediaRequest(clock: Pick<Clock, 'after'>, permissions: Pick<MediaPermissions, 'state'>) {
  /** Undefined on a page without HTTPS. */
  const media = navigator.mediaDevices as MediaDevices | undefined

  /**
   * Resolves with null if the browser does not answer in time. While the page is hidden, the browser may delay its
   * answer, so that time does not count.
   */
  async function answer(request: Promise<MediaStream>): Promise<MediaStream | null> {
    for (;;) {
      const wasHidden = document.hidden
      const opened =
        (await within(clock, OPEN_MS, request, null)) ??
        ((await permissions.state()) === 'granted' ? null : await within(clock, QUESTION_MS, request, null))
      if (opened || !(wasHidden || document.hidden)) return opened
    }
  }

  /** Rejects with a TimeoutError if the browser does not answer in time. Devices that open later are closed. */
  async function getMedia(from: MediaDevices, constraints: Constraints): Promise<MediaStream> {
    const request = from.getUserMedia(constraints)
    const opened = await answer(request)
    if (opened) return opened
    request.then(stop, () => {})
    throw new DOMException('The browser did not answer', 'TimeoutError')
  }

  /** Resolves with null if the browser does not answer. */
  const list = async () => (media ? await within(clock, LIST_MS, media.enumerateDevices(), null) : [])

  return {
    media,
    list,
    /** Opens devices, and drops conditions that they cannot meet. Rejects with the browser's or a TimeoutError. */
    async open(constraints: Constraints): Promise<MediaStream> {
      if (!media) throw new DOMException('There are no media devices', 'SecurityError')
      for (let left: Constraints | null = constraints; ; ) {
        try {
          return await getMedia(media, left)
        } catch (thrown) {
          const present = ((await list()) ?? []).map(({ deviceId }) => deviceId)
          left = relaxed(left, thrown, new Set(present))
          if (!left) throw thrown
        }
      }
    },
  }
}

export function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
