import { type RefObject, useEffect, useRef } from 'react'
import { useTexts } from '../../platform/use-texts.ts'

type OwnVideoProps = {
  stream: MediaStream | null
  className?: string | undefined
  video?: RefObject<HTMLVideoElement | null>
}

/** The user's own camera picture: muted, and mirrored unless it is from a phone's rear camera. */
export function OwnVideo({ stream, className, video: given }: OwnVideoProps) {
  const t = useTexts()
  const own = useRef<HTMLVideoElement>(null)
  const ref = given ?? own

  useEffect(() => {
    const video = ref.current
    if (!video) return
    video.srcObject = stream
    return () => {
      video.srcObject = null
    }
  }, [stream, ref])

  const looksAway = stream?.getVideoTracks()[0]?.getSettings().facingMode === 'environment'
  return (
    <video
      ref={ref}
      aria-label={t('devices.own-video')}
      className={className}
      style={{ transform: looksAway ? 'none' : 'scaleX(-1)' }}
      autoPlay
      playsInline
      muted
    />
  )
}
