import type { PictureOf } from '#protocol/picture-state.ts'
import { transfer } from '#workers/rpc.ts'
import type { Workers } from '../../platform/io/workers.ts'
import type { PictureReader } from '../ports.ts'
import { createNewFrames, hasPicture, pictureOf } from './video-picture.ts'

/** Of a bitmap, where the browser has no VideoFrame; what the worker reads is smaller. */
const BITMAP_SIDE = 120

/** Reads pictures in the media worker. Rejects with `encode-failed` or `worker-died`. */
export function createPictureReader(workers: Pick<Workers, 'media'>): PictureReader<HTMLVideoElement> {
  const newFrames = createNewFrames()
  /** The tracks that were read last. Weak: a peer's track is not kept after the call. */
  const tracks = new Map<PictureOf, WeakRef<MediaStreamTrack>>()

  return {
    async read(video, of) {
      const track = video.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks()[0] : undefined
      // Without OffscreenCanvas here the worker has none either.
      if (!track || !('OffscreenCanvas' in globalThis) || !hasPicture(video) || !newFrames.isNew(video)) return null
      const isFirst = tracks.get(of)?.deref() !== track
      const picture = await pictureOf(video, BITMAP_SIDE)
      try {
        const state = await workers.media().readPicture(transfer(picture, [picture]), of, isFirst)
        // Not before: the worker has not begun anew if the reading failed.
        tracks.set(of, new WeakRef(track))
        // What is known is of the track before.
        return isFirst ? 'fine' : state
      } finally {
        // Only if it was not transferred: an open picture holds one of the camera's few buffers.
        picture.close()
      }
    },
  }
}
