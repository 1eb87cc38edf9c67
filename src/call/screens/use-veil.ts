import { effect } from '@preact/signals-react'
import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { useCurtain } from '../../curtain/use-curtain.tsx'

type FrameRef = RefObject<HTMLElement | null>
type VideoRef = RefObject<HTMLVideoElement | null>

/** Passes the peer's video to the safety curtain while it is shown, and hides picture and sound in the task that veils them, without a render. */
export function useVeil(frame: FrameRef, video: VideoRef, shown: boolean): void {
  const { curtain } = useCurtain()

  useEffect(() => {
    if (!shown || !video.current) return
    return curtain.showPicture('peer', video.current)
  }, [curtain, video, shown])

  useLayoutEffect(
    () =>
      effect(() => {
        const isVeiled = curtain.isVeiled.value
        return frame.current && video.current ? veil(frame.current, video.current, isVeiled) : undefined
      }),
    [curtain, frame, video],
  )
}

/** Returns a function that ends what goes on while the picture is veiled. */
function veil(frame: HTMLElement, video: HTMLVideoElement, isVeiled: boolean): () => void {
  frame.toggleAttribute('data-veiled', isVeiled)
  video.muted = isVeiled
  video.disablePictureInPicture = isVeiled
  if (!isVeiled) return () => {}
  const close = () => closeSmallWindow(video)
  if (document.pictureInPictureElement === video) close()
  // A request for a small window that was made before may open it now.
  video.addEventListener('enterpictureinpicture', close)
  return () => video.removeEventListener('enterpictureinpicture', close)
}

/** The tracks are disabled until the window is closed: it shows the picture that long, also if it cannot be closed from here. */
function closeSmallWindow(video: HTMLVideoElement): void {
  const { srcObject } = video
  const tracks = srcObject instanceof MediaStream ? srcObject.getVideoTracks() : []
  function enable(on: boolean): void {
    for (const track of tracks) track.enabled = on
  }
  function closed(): void {
    if (document.pictureInPictureElement === video) return
    video.removeEventListener('leavepictureinpicture', closed)
    enable(true)
  }
  enable(false)
  video.addEventListener('leavepictureinpicture', closed)
  document
    .exitPictureInPicture()
    .catch(() => {})
    .finally(closed)
}
