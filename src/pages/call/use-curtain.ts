import { effect } from '@preact/signals-react'
import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { useStores } from '../../stores/stores.ts'

type FrameRef = RefObject<HTMLElement | null>
type VideoRef = RefObject<HTMLVideoElement | null>

/** Has the peer's picture looked at while it is shown, and hides picture and sound at once while it is veiled, without a render. */
export function useCurtain(frame: FrameRef, video: VideoRef, shown: boolean): void {
  const { curtain } = useStores()

  useEffect(() => {
    if (!shown || !video.current) return
    return curtain.showPicture('peer', video.current)
  }, [curtain, video, shown])

  useLayoutEffect(
    () =>
      effect(() => {
        const isVeiled = curtain.isVeiled.value
        if (frame.current && video.current) veil(frame.current, video.current, isVeiled)
      }),
    [curtain, frame, video],
  )
}

function veil(frame: HTMLElement, video: HTMLVideoElement, isVeiled: boolean): void {
  frame.toggleAttribute('data-veiled', isVeiled)
  video.muted = isVeiled
  video.disablePictureInPicture = isVeiled
  if (isVeiled && document.pictureInPictureElement === video) closeSmallWindow(video)
}

/** Until the window is closed it would still show the picture. */
function closeSmallWindow({ srcObject }: HTMLVideoElement): void {
  const tracks = srcObject instanceof MediaStream ? srcObject.getVideoTracks() : []
  function enable(on: boolean): void {
    for (const track of tracks) track.enabled = on
  }
  enable(false)
  document
    .exitPictureInPicture()
    .catch(() => {})
    .finally(() => enable(true))
}
