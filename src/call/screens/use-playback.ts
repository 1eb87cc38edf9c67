import { type RefObject, useCallback, useEffect, useState } from 'react'
import { span } from '#workers/trace.ts'

/**
 * Plays the stream in the video element and clears the element afterwards. `shown` is true from the first frame; `refused` is
 * true while the browser requires a tap, which does not exclude a first frame.
 */
export function usePlayback(ref: RefObject<HTMLVideoElement | null>, stream: MediaStream | null) {
  const [shown, setShown] = useState(false)
  const [refused, setRefused] = useState(false)

  const play = useCallback(() => {
    setRefused(false)
    ref.current?.play().catch((thrown: unknown) => {
      // Any other error is a play() that a newer stream or the end of the page interrupted.
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
    /** Resumes a live stream that was paused by a phone call or by closing the picture-in-picture window. */
    function resume(): void {
      if (video?.paused && stream?.active) play()
    }
    video.addEventListener('resize', turned)
    video.addEventListener('pause', resume)
    document.addEventListener('visibilitychange', resume)
    // 'playing' can fire for sound alone, before the first frame; it is used only in browsers without the frame callback.
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
