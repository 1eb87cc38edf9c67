import { type RefObject, useCallback, useEffect, useState } from 'react'

/** A stranger's picture stays blurred for its first moments, so that nobody meets by surprise what they would not choose to see. */
const VEILED_MS = 2_000

/**
 * Whether the picture may be seen clearly: after two seconds of decoded picture, or when the person asks for it. Every new
 * stream starts blurred.
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

/** Counts from the first decoded frame to the first one that comes two seconds later: a stalled picture stays blurred. */
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
