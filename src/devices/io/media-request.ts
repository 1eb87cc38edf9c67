import type { Clock } from '../../platform/clock.ts'
import { within } from '../../platform/rules/within.ts'
import { type Constraints, relaxed } from './media-constraints.ts'
import type { MediaPermissions } from './media-permissions.ts'

/** Some drivers never answer, nor do some browsers whose question was closed. A slow phone opens its camera within five seconds. */
const OPEN_MS = 15_000
/** For a user who reads the browser's question. */
const QUESTION_MS = 60_000
/** A list comes from the browser alone. */
const LIST_MS = 3_000

/** Asks the browser for devices, and waits no longer than makes sense. */
export function createMediaRequest(clock: Pick<Clock, 'after'>, permissions: Pick<MediaPermissions, 'state'>) {
  /** Undefined on a page without https. */
  const media = navigator.mediaDevices as MediaDevices | undefined

  /** Resolves with null if there is no answer. While the page is hidden a browser may wait with its own. */
  async function answer(request: Promise<MediaStream>): Promise<MediaStream | null> {
    for (;;) {
      const wasHidden = document.hidden
      const opened =
        (await within(clock, OPEN_MS, request, null)) ??
        ((await permissions.state()) === 'granted' ? null : await within(clock, QUESTION_MS, request, null))
      if (opened || !(wasHidden || document.hidden)) return opened
    }
  }

  /** Rejects with a TimeoutError where the browser does not answer. What it opens later is closed at once. */
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
    /** Opens devices, without a condition that they cannot meet. Rejects as the browser does, or with a TimeoutError. */
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
