import { effect, type Signal } from '@preact/signals-react'
import { afterLook, type CurtainState, nextLook, type PictureOf, type ShownPictures } from '../domain/curtain.ts'
import type { Clock, Log, PictureLooks } from '../domain/ports.ts'

/** After this many failed looks in a row the check has failed. */
const FAILURES_MAX = 3

type Ports = {
  looks: Pick<PictureLooks<HTMLVideoElement>, 'look'>
  clock: Pick<Clock, 'now' | 'after'>
  log: Log
  state: Signal<CurtainState>
  looksToVeil: number
  /** Reads the signals that it depends on. */
  shown: () => ShownPictures
  videoOf: (of: PictureOf) => HTMLVideoElement | null
  failed: () => void
}

/**
 * Looks at the pictures of a call at the times that the rules return, one look at a time. A video without a picture is no failure: a peer
 * could otherwise end the check by sending none for a moment. Returns a function that stops it.
 */
export function lookAtPictures({ looks, clock, log, state, looksToVeil, shown, videoOf, failed }: Ports): () => void {
  let isOver = false
  let isLooking = false
  let failures = 0
  let cancel = () => {}

  function plan(): void {
    cancel()
    const pictures = shown()
    const next = nextLook(state.value, pictures)
    if (isOver || isLooking || !next) return
    cancel = clock.after(Math.max(0, next.at - clock.now()), () => void look(next.of))
  }

  async function look(of: PictureOf): Promise<void> {
    const video = videoOf(of)
    if (!video) return
    isLooking = true
    const startedAt = clock.now()
    const isFlagged = await looks.look(video).then(
      (result) => {
        failures = 0
        return result?.flagged ?? null
      },
      (thrown: unknown) => {
        failures += 1
        if (!isOver) log.error('A look at a picture failed', thrown)
        return null
      },
    )
    isLooking = false
    if (isOver) return
    if (failures >= FAILURES_MAX) failed()
    // The new state plans the next look.
    else state.value = afterLook(state.peek(), { of, startedAt, endedAt: clock.now(), isFlagged }, looksToVeil)
  }

  const stopPlanning = effect(plan)
  return () => {
    isOver = true
    stopPlanning()
    cancel()
  }
}
