import { AppError } from '#protocol/errors.ts'
import type { PictureOf } from '#protocol/picture-state.ts'
import { transfer } from '#workers/rpc.ts'
import type { Workers } from '../../platform/io/workers.ts'
import type { PictureReader } from '../ports.ts'

/** Shorter side of the bitmap in a browser without VideoFrame. The worker reads an even smaller picture. */
const BITMAP_SIDE = 120

/** Reads pictures in the media worker. Rejects with `encode-failed` or `worker-died`. */
export function createPictureReader(workers: Pick<Workers, 'media'>): PictureReader<HTMLVideoElement> {
  const isNewFrame = createNewFrames()
  /** The tracks that were read last. Weak: a peer's track is not kept after the call. */
  const tracks = new Map<PictureOf, WeakRef<MediaStreamTrack>>()

  return {
    async read(video, of) {
      const track = video.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks()[0] : undefined
      // Without OffscreenCanvas here the worker has none either.
      if (!track || !('OffscreenCanvas' in globalThis) || !hasPicture(video) || !isNewFrame(video)) return null
      const isFirst = tracks.get(of)?.deref() !== track
      const picture = await pictureOf(video, BITMAP_SIDE)
      try {
        const state = await workers.media().readPicture(transfer(picture, [picture]), of, isFirst)
        // Only now: after a failed reading the worker has not started again.
        tracks.set(of, new WeakRef(track))
        // The first state for a new track is that of the earlier track.
        return isFirst ? 'fine' : state
      } finally {
        // A picture that was not transferred would hold one of the camera's few buffers.
        picture.close()
      }
    },
  }
}

export function hasPicture(video: HTMLVideoElement): boolean {
  return video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth > 0
}

/** Returns a VideoFrame (no copy), or a bitmap with a shorter side of `side`. Rejects with `encode-failed`. */
export async function pictureOf(video: HTMLVideoElement, side: number): Promise<VideoFrame | ImageBitmap> {
  try {
    if ('VideoFrame' in globalThis) return new VideoFrame(video)
  } catch {
    // Some browsers make no VideoFrame of a video element.
  }
  const shorterSide = video.videoWidth < video.videoHeight ? 'resizeWidth' : 'resizeHeight'
  try {
    // Some browsers refuse options for a video element.
    return await createImageBitmap(video, { [shorterSide]: side }).catch(() => createImageBitmap(video))
  } catch (error) {
    throw new AppError('encode-failed', String(error))
  }
}

/** Tells whether a video shows another frame than at the last call. Where no frames are counted, each is new. */
export function createNewFrames(): (video: HTMLVideoElement) => boolean {
  const counts = new WeakMap<HTMLVideoElement, number>()
  return (video) => {
    const count = video.getVideoPlaybackQuality?.().totalVideoFrames ?? 0
    const before = counts.get(video)
    counts.set(video, count)
    return count === 0 || count !== before
  }
}
