import { AppError } from '#protocol/errors.ts'
import type { PictureOf } from '#protocol/picture-state.ts'
import { transfer } from '#workers/rpc.ts'
import type { Workers } from '../../platform/io/workers.ts'
import type { PictureReader } from '../ports.ts'

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

export function hasPicture(video: HTMLVideoElement): boolean {
  return video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth > 0
}

/**
 * Returns a VideoFrame, which is not copied here, or in browsers without one a bitmap whose shorter side has `side` pixels. Rejects with
 * `encode-failed`.
 */
export async function pictureOf(video: HTMLVideoElement, side: number): Promise<VideoFrame | ImageBitmap> {
  try {
    if ('VideoFrame' in globalThis) return new VideoFrame(video)
  } catch {
    // Some browsers make none of a video element.
  }
  const shorterSide = video.videoWidth < video.videoHeight ? 'resizeWidth' : 'resizeHeight'
  try {
    // Some browsers refuse options for a video element.
    return await createImageBitmap(video, { [shorterSide]: side }).catch(() => createImageBitmap(video))
  } catch (error) {
    throw new AppError('encode-failed', String(error))
  }
}

/** Tells whether a video shows another frame than when it was last asked. Some browsers count no frames: there each counts as new. */
export function createNewFrames() {
  const counts = new WeakMap<HTMLVideoElement, number>()
  return {
    isNew(video: HTMLVideoElement): boolean {
      const count = video.getVideoPlaybackQuality?.().totalVideoFrames ?? 0
      const before = counts.get(video)
      counts.set(video, count)
      return count === 0 || count !== before
    },
  }
}
