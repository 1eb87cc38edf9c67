import { AppError } from '#protocol/errors.ts'
import type { PictureOf } from '#protocol/picture-state.ts'
import { transfer } from '#workers/rpc.ts'
import type { Workers } from '../../platform/io/workers.ts'
import type { PictureReader } from '../ports.ts'

/** Shorter side of the bitmap in pixels, in a browser without VideoFrame. The worker reduces the picture further. */
const BITMAP_SIDE = 120

/** Reads pictures in the media worker. Rejects with `encode-failed` or `worker-died`. */
export function createPictureReader(workers: Pick<Workers, 'media'>): PictureReader<HTMLVideoElement> {
  const isNewFrame = createNewFrames()
  /** The track that was last read, for each picture. Weak: a peer's track is not kept after the call. */
  const tracks = new Map<PictureOf, WeakRef<MediaStreamTrack>>()

  return {
    async read(video, of) {
      const track = video.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks()[0] : undefined
      // If the page has no OffscreenCanvas, the worker has none either.
      if (!track || !('OffscreenCanvas' in globalThis) || !hasPicture(video) || !isNewFrame(video)) return null
      const isFirst = tracks.get(of)?.deref() !== track
      const picture = await pictureOf(video, BITMAP_SIDE)
      try {
        const state = await workers.media().readPicture(transfer(picture, [picture]), of, isFirst)
        // Set only after the reading: after a failed one the worker has not begun with the new track.
        tracks.set(of, new WeakRef(track))
        // With the first reading of a new track the worker still returns the state of the earlier track.
        return isFirst ? 'fine' : state
      } finally {
        // A picture that was not transferred would occupy one of the camera's few buffers.
        picture.close()
      }
    },
  }
}

export function hasPicture(video: HTMLVideoElement): boolean {
  return video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth > 0
}

/**
 * Resolves with a VideoFrame, which takes no copy, or, in browsers without it, with a bitmap whose shorter side has
 * `side` pixels. Rejects with `encode-failed`.
 */
export async function pictureOf(video: HTMLVideoElement, side: number): Promise<VideoFrame | ImageBitmap> {
  try {
    if ('VideoFrame' in globalThis) return new VideoFrame(video)
  } catch {
    // Some browsers cannot make a VideoFrame from a video element.
  }
  const shorterSide = video.videoWidth < video.videoHeight ? 'resizeWidth' : 'resizeHeight'
  try {
    // Some browsers refuse options for a video element.
    return await createImageBitmap(video, { [shorterSide]: side }).catch(() => createImageBitmap(video))
  } catch (error) {
    throw new AppError('encode-failed', String(error))
  }
}

/** Tells whether a video shows another frame than at the last call. Always true if frames are not counted. */
export function createNewFrames(): (video: HTMLVideoElement) => boolean {
  const counts = new WeakMap<HTMLVideoElement, number>()
  return (video) => {
    const count = video.getVideoPlaybackQuality?.().totalVideoFrames ?? 0
    const before = counts.get(video)
    counts.set(video, count)
    return count === 0 || count !== before
  }
}
