import { AppError } from '#protocol/errors.ts'

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
