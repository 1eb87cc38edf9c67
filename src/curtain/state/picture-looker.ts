import { effect, type Signal } from '@preact/signals-react'
import type { PictureOf, PictureState } from '#protocol/picture-state.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { PictureLooks } from '../ports.ts'
import {
  afterLook,
  type CurtainState,
  type EndedLook,
  nextLook,
  ROUTINE_MS,
  routineLooks,
  type ShownPictures,
} from '../rules/curtain.ts'

/** Failed looks in a row after which the check as a whole has failed. */
const FAILURES_MAX = 3

type Ports = {
  looks: Pick<PictureLooks<HTMLVideoElement>, 'look' | 'keepLooking' | 'interrupt'>
  clock: Pick<Clock, 'now' | 'after'>
  log: Log
  state: Signal<CurtainState>
  looksToVeil: number
  /** Returns which pictures are shown; reads signals. */
  shown: () => ShownPictures
  videoOf: (of: PictureOf) => HTMLVideoElement | null
  failed: () => void
  /** Called with the state of a picture by all looks at it; null while there are too few. */
  judged: (of: PictureOf, shows: PictureState | null) => void
}

/**
 * Looks at the pictures of a call at the times that the rules return, one look at a time. A video without a picture is no failed look: a
 * peer could otherwise end the check with a short pause of the picture. Returns a function that stops it.
 */
export function lookAtPictures({
  looks,
  clock,
  log,
  state,
  looksToVeil,
  shown,
  videoOf,
  failed,
  judged,
}: Ports): () => void {
  let isOver = false
  let isLooking = false
  /** The pictures that were shown when the current routine began; null without a routine. */
  let routineOf: ShownPictures | null = null
  let failures = 0
  let cancel = () => {}

  function plan(): void {
    cancel()
    const pictures = shown()
    const next = nextLook(state.value, pictures)
    if (isOver) return
    if (routineOf && (routineOf.peer !== pictures.peer || routineOf.own !== pictures.own)) looks.interrupt()
    if (isLooking || !next) return
    cancel = clock.after(Math.max(0, next.at - clock.now()), () => void look(next.of, pictures))
  }

  async function look(of: PictureOf, pictures: ShownPictures): Promise<void> {
    isLooking = true
    const startedAt = clock.now()
    const ended: EndedLook[] = []
    try {
      const left = await lookInRoutine(of, pictures, ended)
      if (left && !isOver) await lookOnce(left, ended)
      failures = 0
    } catch (thrown) {
      failures += 1
      ended.push({ of, startedAt, endedAt: clock.now(), isFlagged: null })
      if (!isOver) log.error('A look at a picture failed', thrown)
    }
    isLooking = false
    if (isOver) return
    if (failures >= FAILURES_MAX) failed()
    else if (ended.length === 0) plan()
    // The change of the state plans the next look.
    else state.value = ended.reduce((before, each) => afterLook(before, each, looksToVeil), state.peek())
  }

  /** Adds looks to `ended`. Resolves with the picture that the page must look at itself: `of` without a routine. */
  async function lookInRoutine(of: PictureOf, pictures: ShownPictures, ended: EndedLook[]): Promise<PictureOf | null> {
    const routine = routineLooks(state.peek(), pictures)
    if (!routine) return of
    const startedAt = clock.now()
    const videos = routine.flatMap(({ of: picture, at, everyMs }) => {
      const video = videoOf(picture)
      return video ? [{ video, of: picture, inMs: Math.max(0, at - startedAt), everyMs }] : []
    })
    if (videos.length < routine.length) return of
    routineOf = pictures
    const seen = await looks.keepLooking(videos, ROUTINE_MS).finally(() => {
      routineOf = null
    })
    if (!seen) return of
    for (const { index, startedMs, endedMs, flagged, state: shows } of seen) {
      const looked = routine[index]
      if (!looked) continue
      if (flagged === null) return looked.of
      if (!isOver) judged(looked.of, shows)
      ended.push({ of: looked.of, startedAt: startedAt + startedMs, endedAt: startedAt + endedMs, isFlagged: flagged })
    }
    return null
  }

  async function lookOnce(of: PictureOf, ended: EndedLook[]): Promise<void> {
    const video = videoOf(of)
    if (!video) return
    const startedAt = clock.now()
    const seen = await looks.look(video, of)
    if (seen && !isOver) judged(of, seen.state)
    ended.push({ of, startedAt, endedAt: clock.now(), isFlagged: seen?.flagged ?? null })
  }

  const stopPlanning = effect(plan)
  return () => {
    isOver = true
    stopPlanning()
    cancel()
  }
}
