import { AppError } from '#protocol/errors.ts'
import { FRAME_JPEG, jpegSize } from '#workers/media/contract.ts'

/** The input of the media worker: a picture to encode, or a JPEG if only the page's thread can encode. */
export type Grabbed = VideoFrame | ImageBitmap | Blob

/** Timeout for the first picture: a camera that another program uses may never deliver a picture. */
const FIRST_PICTURE_MS = 5_000

/**
 * Captures the stream's current picture with the least work for this thread: synchronously from a video element that
 * shows the stream, else from a hidden one. Rejects with `camera-refused` or `encode-failed`.
 */
export function grabFrame(stream: MediaStream): Promise<Grabbed> {
  return withPlayer(stream, pictureOf)
}

/** Resolves once the camera gives a picture; at once in a hidden page, which sees no picture. Otherwise rejects with `camera-refused`. */
export async function awaitPicture(stream: MediaStream): Promise<void> {
  try {
    if (!document.hidden) await withPlayer(stream, async () => {})
  } catch (thrown) {
    if (!document.hidden) throw thrown
  }
}

async function withPlayer<T>(stream: MediaStream, task: (player: HTMLVideoElement) => Promise<T>): Promise<T> {
  const [track] = stream.getVideoTracks()
  if (track?.readyState !== 'live') throw new AppError('camera-refused', 'There is no live camera to capture from')
  const shown = shownPlayer(stream)
  if (shown) return task(shown)
  const player = hiddenPlayer(stream)
  try {
    await firstPicture(player, track)
    return await task(player)
  } finally {
    player.pause()
    // Releases the stream: otherwise the element would keep it in memory.
    player.srcObject = null
  }
}

/** Returns the visible video element of the stream. It keeps its picture even if the stream ends. */
function shownPlayer(stream: MediaStream): HTMLVideoElement | undefined {
  return [...document.querySelectorAll('video')].find(
    (video) => video.srcObject === stream && !video.paused && hasPicture(video),
  )
}

function hasPicture(video: HTMLVideoElement): boolean {
  return video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth > 0
}

function hiddenPlayer(stream: MediaStream): HTMLVideoElement {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.srcObject = stream
  // Rejects only if the source ends before it starts, which the timeout of the first picture covers.
  video.play().catch(() => {})
  return video
}

function firstPicture(video: HTMLVideoElement, track: MediaStreamTrack): Promise<void> {
  return new Promise((resolve, reject) => {
    const settled = new AbortController()
    const once = { once: true, signal: settled.signal }
    function settle(failure?: string): void {
      clearTimeout(timer)
      settled.abort()
      if (failure === undefined) resolve()
      else reject(new AppError('camera-refused', failure))
    }
    const timer = setTimeout(() => settle('The camera gave no picture'), FIRST_PICTURE_MS)
    video.addEventListener('loadeddata', () => settle(), once)
    track.addEventListener('ended', () => settle('The camera went before it gave a picture'), once)
  })
}

/** Captures with the first method that works. The capture starts in the same task. */
async function pictureOf(video: HTMLVideoElement): Promise<Grabbed> {
  let failure: unknown
  for (const way of waysHere()) {
    try {
      return await way(video)
    } catch (error) {
      failure = error
    }
  }
  throw new AppError('encode-failed', String(failure))
}

type Way = (video: HTMLVideoElement) => Grabbed | Promise<Grabbed>

/**
 * Returns the methods of this browser, cheapest first. A VideoFrame needs no conversion on this thread, an ImageBitmap
 * does, and a canvas also encodes here.
 */
function waysHere(): Way[] {
  const ways: Way[] = []
  // Without OffscreenCanvas on this thread, the worker could not encode the picture either.
  if ('OffscreenCanvas' in globalThis) {
    if ('VideoFrame' in globalThis) ways.push((video) => new VideoFrame(video))
    if ('createImageBitmap' in globalThis) ways.push((video) => createImageBitmap(video))
  }
  return [...ways, jpegOf]
}

function jpegOf(video: HTMLVideoElement): Promise<Blob> {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, jpegSize(video.videoWidth, video.videoHeight))
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) throw new Error('No canvas to draw on')
  context.drawImage(video, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    const taken = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('The canvas gave no JPEG')))
    canvas.toBlob(taken, FRAME_JPEG.type, FRAME_JPEG.quality)
  })
}
