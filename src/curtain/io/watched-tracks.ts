import type { CurtainWorker } from '#workers/curtain/contract.ts'
import { transfer } from '#workers/rpc.ts'

/** Chromium's alone: other browsers have it in workers, or not at all, so the types of a page lack it. */
type TrackProcessor = new (init: {
  track: MediaStreamTrack
  maxBufferSize: number
}) => { readable: ReadableStream<VideoFrame> }

export type WatchedTracks = ReturnType<typeof createWatchedTracks>

/**
 * Hands the frames of the tracks that videos show over to a worker, so that the page need not copy a picture for each look: that costs its
 * thread several milliseconds on a slow device. The frames end with the track, the worker, or when the video shows another track.
 */
export function createWatchedTracks(remote: Pick<CurtainWorker, 'watch' | 'unwatch'>) {
  const watched = new Map<HTMLVideoElement, { track: MediaStreamTrack; id: Promise<number | null> }>()
  let lastId = 0

  function forgetOthers(): void {
    for (const [video, { track, id }] of watched) {
      if (video.isConnected && trackOf(video) === track) continue
      watched.delete(video)
      void unwatch(id)
    }
  }

  async function unwatch(id: Promise<number | null>): Promise<void> {
    const known = await id
    // A worker that is gone watches nothing.
    if (known !== null) await remote.unwatch(known).catch(() => {})
  }

  /** Resolves with null if the browser hands no frames over. Never rejects. */
  async function watch(track: MediaStreamTrack): Promise<number | null> {
    const { MediaStreamTrackProcessor: Processor } = globalThis as { MediaStreamTrackProcessor?: TrackProcessor }
    if (!Processor) return null
    lastId += 1
    const id = lastId
    try {
      const { readable } = new Processor({ track, maxBufferSize: 1 })
      await remote.watch(id, transfer(readable, [readable]))
      return id
    } catch {
      return null
    }
  }

  return {
    /** Resolves with the worker's id of the track that the video shows; with null if the worker has no frames of it. */
    async idOf(video: HTMLVideoElement): Promise<number | null> {
      forgetOthers()
      const track = trackOf(video)
      if (!track) return null
      const id = watched.get(video)?.id ?? watch(track)
      watched.set(video, { track, id })
      return id
    },
  }
}

/** Returns the track that the video shows; null if it might be another one. */
function trackOf({ srcObject }: HTMLVideoElement): MediaStreamTrack | null {
  if (!(srcObject instanceof MediaStream)) return null
  const [track, another] = srcObject.getVideoTracks()
  return track && !another ? track : null
}
