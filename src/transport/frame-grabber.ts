import { FRAME_INTERVAL_MS } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'

type Grab = (stream: MediaStream) => Promise<VideoFrame | ImageBitmap>

/** A player is kept for the next of a row of captures, and let go when none comes: it would hold a dead stream alive. */
const KEPT_MS = 1.5 * FRAME_INTERVAL_MS

/** Takes the stream's current picture at the least cost for this thread. Rejects with `camera-refused` or `encode-failed`. */
export function createFrameGrabber(): Grab {
  let video: HTMLVideoElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function release(): void {
    clearTimeout(timer)
    video?.pause()
    if (video) video.srcObject = null
    video = null
  }

  function playerOf(stream: MediaStream): HTMLVideoElement {
    if (video?.srcObject !== stream) release()
    video ??= hiddenPlayer(stream)
    clearTimeout(timer)
    timer = setTimeout(release, KEPT_MS)
    return video
  }

  return async (stream) => {
    const [track] = stream.getVideoTracks()
    if (track?.readyState !== 'live') throw new AppError('camera-refused', 'There is no live camera to capture from')
    const player = playerOf(stream)
    try {
      await firstPicture(player, track)
      return await pictureOf(player)
    } catch (error) {
      release()
      throw error instanceof AppError ? error : new AppError('encode-failed', String(error))
    }
  }
}

function hiddenPlayer(stream: MediaStream): HTMLVideoElement {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.srcObject = stream
  // Refused only when the source goes before it starts, which the wait for the first picture notices.
  video.play().catch(() => {})
  return video
}

function firstPicture(video: HTMLVideoElement, track: MediaStreamTrack): Promise<void> {
  if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const gone = () => reject(new AppError('camera-refused', 'The camera went before it gave a picture'))
    video.addEventListener('loadeddata', () => resolve(), { once: true })
    video.addEventListener('emptied', gone, { once: true })
    track.addEventListener('ended', gone, { once: true })
  })
}

/** A VideoFrame of a playing video needs no conversion on this thread; an ImageBitmap does. */
function pictureOf(video: HTMLVideoElement): VideoFrame | Promise<ImageBitmap> {
  return 'VideoFrame' in globalThis ? new VideoFrame(video) : createImageBitmap(video)
}
