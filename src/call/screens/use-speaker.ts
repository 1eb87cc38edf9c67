import { type RefObject, useEffect } from 'react'

/** Routes the video's sound to this speaker; with an empty id the browser chooses. */
export function useSpeaker(ref: RefObject<HTMLVideoElement | null>, id: string): void {
  useEffect(() => {
    // If the speaker is gone, the browser keeps its own choice.
    ref.current?.setSinkId?.(id).catch(() => {})
  }, [ref, id])
}
