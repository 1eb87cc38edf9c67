import { type RefObject, useCallback, useEffect, useState } from 'react'
import { span } from '#workers/trace.ts'

/**
 * Plays the stream in the video element, and clears the element afterwards. `shown`: true from the first frame on.
 * `refused`: true while the browser requires a tap, which is possible even after a first frame.
 */
export function usePlayback(ref: RefObject<HTMLVideoElement | null>, stream: MediaStream | null) {
  const [shown, setShown] = useState(false)
  const [refused, setRefused] = useState(false)

  const play = useCallback(() => {
    setRefused(false)
    ref.current?.play().catch((thrown: unknown) => {
      // Any other error means that a newer stream or the end of the page interrupted play().
      if (thrown instanceof DOMException && thrown.name === 'NotAllowedError') setRefused(true)
    })
  }, [ref])

  useEffect(() => {
    const video = ref.current
    if (!video || !stream) return
    const start = performance.now()
    function firstFrame(): void {
      span('Call setup', 'first frame', start)
      setShown(true)
    }
    function turned(): void {
      video?.toggleAttribute('data-upright', video.videoHeight > video.videoWidth)
    }
    /** Resumes a live stream that a phone call or the end of the picture-in-picture window has paused. */
    function resume(): void {
      if (video?.paused && stream?.active) play()
    }
    video.addEventListener('resize', turned)
    video.addEventListener('pause', resume)
    document.addEventListener('visibilitychange', resume)
    // 'playing' can fire for sound alone, before the first frame. It is used only in browsers without `requestVideoFrameCallback`.
    const counted = typeof video.requestVideoFrameCallback === 'function'
    const request = counted ? video.requestVideoFrameCallback(firstFrame) : 0
    if (!counted) video.addEventListener('playing', firstFrame, { once: true })
    setShown(false)
    video.srcObject = stream
    play()
    return () => {
      video.removeEventListener('resize', turned)
      video.removeEventListener('pause', resume)
      document.removeEventListener('visibilitychange', resume)
      video.removeEventListener('playing', firstFrame)
      if (counted) video.cancelVideoFrameCallback(request)
      video.srcObject = null
    }
  }, [ref, stream, play])

  return { shown, refused, play }
}

/** Time for which the picture of a new peer is blurred, so that no unwanted content surprises the user. */
const VEILED_MS = 2_000

/**
 * Returns whether the picture is shown without blur: VEILED_MS after the first decoded frame, or when the user asks for
 * it. Every new stream begins blurred.
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

/** Calls `done` at the first frame VEILED_MS after the first decoded one, so that a stalled picture stays blurred. */
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

/** Plays the sound of the video on this speaker; with an empty id the browser chooses. */
export function useSpeaker(ref: RefObject<HTMLVideoElement | null>, id: string): void {
  useEffect(() => {
    // If the speaker is gone, the browser keeps its own choice.
    ref.current?.setSinkId?.(id).catch(() => {})
  }, [ref, id])
}
