import type { PictureOf, PictureState } from '#protocol/picture-state.ts'
import { readingOf } from '#workers/media/picture-reading.ts'
import { createPictureJudge } from '#workers/media/picture-state.ts'
import type { Dice } from '../dice.ts'
import { CLIP_SIDE, type Clip, type FaultyKind, faultyClip, type HonestKind, honestClip } from './clips.ts'

/** Readings as in a call: twice a second in the first ten seconds, then once; a busy device is a little late. */
const FIRST_MS = 10_000
const LATE_MS = 60

/** Returns when each state but `fine` was first said, in ms, and what the readings took. */
function judgeClip(clip: Clip, of: PictureOf, forMs: number, dice: Dice) {
  const judge = createPictureJudge(of)
  const first = new Map<PictureState, number>()
  let readings = 0
  let tookMs = 0
  for (let at = 0; at < forMs; at += (at < FIRST_MS ? 500 : 1_000) + dice.next() * LATE_MS) {
    const pixels = clip(at)
    const start = performance.now()
    const state = judge(readingOf(pixels, CLIP_SIDE), at)
    tookMs += performance.now() - start
    readings += 1
    if (state && state !== 'fine' && !first.has(state)) first.set(state, at)
  }
  return { first, readings, tookMs }
}

/** What a codec has changed is what the peer sees. */
const seenBy = (kind: string): PictureOf => (kind.includes('codec') ? 'peer' : 'own')
/** Nobody needs to be in front of a camera for ten seconds. */
const honestMs = (kind: HonestKind) => (kind.startsWith('nobody') ? 10_000 : 120_000)

/** Judges an honest clip of this kind for as long as nothing may be said of it, at most `maxMs`. */
export function judgeHonest(kind: HonestKind, dice: Dice, maxMs = Number.POSITIVE_INFINITY) {
  return judgeClip(honestClip(kind, dice), seenBy(kind), Math.min(maxMs, honestMs(kind)), dice)
}

/** What is to be said of each kind, and within which time. */
export const faults: Record<FaultyKind, { state: PictureState; withinMs: number }> = {
  black: { state: 'black', withinMs: 6_000 },
  'covered lens': { state: 'black', withinMs: 6_000 },
  'still picture': { state: 'still', withinMs: 8_000 },
  'still picture, codec': { state: 'still', withinMs: 20_000 },
  loop: { state: 'looped', withinMs: 180_000 },
  'loop, codec': { state: 'looped', withinMs: 180_000 },
}

/** Returns when the fault of a clip of this kind was first said, in ms; undefined if it was not. */
export function findFault(kind: FaultyKind, dice: Dice): number | undefined {
  const { state, withinMs } = faults[kind]
  return judgeClip(faultyClip(kind, dice), seenBy(kind), withinMs, dice).first.get(state)
}
