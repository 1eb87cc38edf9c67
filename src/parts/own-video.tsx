import { useEffect, useRef } from 'react'
import { useTexts } from './use-texts.ts'

/** The user's own camera, muted, and mirrored unless it is a phone's rear camera. */
export function OwnVideo({ stream, className }: { stream: MediaStream | null; className?: string | undefined }) {
  const t = useTexts()
  const ref = useRef<HTMLVideoElement>(null)

  useEffect(() => {
    const video = ref.current
    if (!video) return
    video.srcObject = stream
    return () => {
      video.srcObject = null
    }
  }, [stream])

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
