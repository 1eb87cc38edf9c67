import { type RefObject, useEffect } from 'react'
import type { PictureOf } from '#protocol/picture-state.ts'
import { useStores } from '../stores/stores.ts'

/** Has the picture that the video shows read while it is `shown`, to say when it shows nobody. */
export function useReadings(video: RefObject<HTMLVideoElement | null>, of: PictureOf, shown: boolean): void {
  const { pictureStates } = useStores()
  useEffect(() => {
    if (!shown || !video.current) return
    return pictureStates.show(of, video.current)
  }, [pictureStates, video, of, shown])
}
