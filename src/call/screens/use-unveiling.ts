import { type RefObject, useCallback, useEffect, useState } from 'react'

/** A stranger's picture is blurred for this time, so that the user is not surprised by unwanted content. */
const VEILED_MS = 2_000

/**
 * Returns whether the picture is shown without blur: VEILED_MS after the first decoded frame, or when the user asks for it.
 * Every new stream starts blurred.
 */
export function useUnveiling(ref: RefObject<HTMLVideoElement | null>, stream: MediaStream | null) {
  const [clear, setClear] = useState(false)

  useEffect(() => {
    setClear(false)
    const video = ref.current
    if (!video || !stream) return
    return typeof video.requestVideoFrameCallback === 'function'
      ? afterFrames(video, () => setClear(true))
      : afterPlaying(video, () => setClear(true))
  }, [ref, stream])

  const unveil = useCallback(() => setClear(true), [])
  return { clear, unveil }
}

/** Calls `done` at the first frame that is VEILED_MS later than the first decoded one, so that a stalled picture stays blurred. */
function afterFrames(video: HTMLVideoElement, done: () => void): () => void {
  let since: number | null = null
  let request = video.requestVideoFrameCallback(frame)
  function frame(now: number): void {
    since ??= now
    if (now - since >= VEILED_MS) done()
    else request = video.requestVideoFrameCallback(frame)
  }
  return () => video.cancelVideoFrameCallback(request)
}

function afterPlaying(video: HTMLVideoElement, done: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const playing = () => {
    timer = setTimeout(done, VEILED_MS)
  }
  video.addEventListener('playing', playing, { once: true })
  return () => {
    clearTimeout(timer)
    video.removeEventListener('playing', playing)
  }
}
