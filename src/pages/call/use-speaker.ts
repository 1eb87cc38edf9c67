import { type RefObject, useEffect } from 'react'

/** Lets the video be heard through this speaker; an empty id leaves it to the browser. */
export function useSpeaker(ref: RefObject<HTMLVideoElement | null>, id: string): void {
  useEffect(() => {
    // A speaker that is gone: the browser's own choice goes on.
    ref.current?.setSinkId?.(id).catch(() => {})
  }, [ref, id])
}
