import { describe, expect, test } from 'vitest'
import type { PictureOf } from '#protocol/picture-state.ts'
import { isLooped } from '#workers/media/picture-loop.ts'
import { readingOf } from '#workers/media/picture-reading.ts'
import { createPictureJudge } from '#workers/media/picture-state.ts'
import { sized } from '../../../scripts/test-limits.ts'
import { createDice } from '../../support/dice.ts'
import { CLIP_SIDE, type Clip, faultyClip, faultyKinds, honestClip, honestKinds } from '../../support/pictures/clips.ts'
import { faults, findFault, judgeHonest } from '../../support/pictures/judge-clip.ts'

/** `npm run bench -- pictureStates` judges hundreds of each kind, others each time. */
const SEED = 2_026
const CLIPS_A_KIND = sized(5, 300)
const HONEST_A_KIND = sized(7, 300)
const clips = Array.from({ length: CLIPS_A_KIND }, (_, index) => index)
/** Of the honest clips in which people move; what is said later is for the bench. */
const SHORT_MS = sized(40_000, 120_000)

test('of honest pictures of every kind at most one in a hundred is called black, still or looped', () => {
  const dice = createDice(SEED)
  const alarms = honestKinds.flatMap((kind) =>
    Array.from({ length: HONEST_A_KIND }, () => [...judgeHonest(kind, dice, SHORT_MS).first.keys()])
      .flat()
      .map((state) => `${kind}: ${state}`),
  )
  expect(alarms.length, alarms.join(', ')).toBeLessThanOrEqual(honestKinds.length * HONEST_A_KIND * 0.01)
})

/** Loops are found the later, the less their period fits the times of the readings. */
const share = { black: 0.99, still: 0.95, looped: 0.4, fine: 1 }

test.each(faultyKinds)('%s is found', (kind) => {
  const dice = createDice(SEED)
  const found = clips.filter(() => findFault(kind, dice) !== undefined)
  expect(found.length).toBeGreaterThanOrEqual(Math.floor(CLIPS_A_KIND * share[faults[kind].state]))
})

/** A judge that is shown one clip after another, a reading each half second. */
function show(of: PictureOf) {
  const judge = createPictureJudge(of)
  let at = 0
  return {
    wait(ms: number): void {
      at += ms
    },
    watch: (clip: Clip, readings: number) =>
      Array.from({ length: readings }, () => {
        at += 500
        return judge(readingOf(clip(at), CLIP_SIDE), at)
      }),
  }
}

const dice = createDice(7)
const black = faultyClip('black', dice)
const still = faultyClip('still picture', dice)
const person = honestClip('light skin', dice)

describe('a picture', () => {
  test('is not judged before it was seen for long enough, and is fine as soon as it moves', () => {
    expect(show('own').watch(black, 4)).toEqual([null, null, null, null])
    expect(show('own').watch(still, 10)).toEqual(Array.from({ length: 10 }, () => null))
    expect(show('own').watch(person, 3)).toEqual([null, 'fine', 'fine'])
  })

  test.each([
    ['own', 'black', 5],
    ['peer', 'black', 9],
    ['own', 'still', 11],
    ['peer', 'still', 31],
  ] as const)('of the %s side is %s with reading %i', (of, state, reading) => {
    const states = show(of).watch(state === 'black' ? black : still, reading)
    expect([states.at(-2), states.at(-1)]).toEqual([null, state])
  })

  test('of a covered lens that lets some light through is black, and one of as dark a room with shapes is not', () => {
    const grey = (levelAt: (x: number) => number): Clip => {
      const noise = createDice(3)
      return () => {
        const cells = Array.from(
          { length: CLIP_SIDE * CLIP_SIDE },
          (_, at) => levelAt(at % CLIP_SIDE) + noise.next() * 6,
        )
        return Uint8ClampedArray.from(cells.flatMap((level) => [level, level, level, 255]))
      }
    }
    expect(
      show('own')
        .watch(
          grey(() => 22),
          6,
        )
        .at(-1),
    ).toBe('black')
    expect(
      show('own')
        .watch(
          grey((x) => (x < 20 ? 10 : 22)),
          6,
        )
        .at(-1),
    ).toBe('fine')
  })

  test('that was black stays so for a moment of light, and is fine after a second and a half of it', () => {
    const { watch } = show('own')
    watch(black, 5)
    expect(watch(person, 2)).toEqual(['black', 'black'])
    expect(watch(black, 1)).toEqual(['black'])
    expect(watch(person, 4)).toEqual(['black', 'black', 'black', 'fine'])
  })

  test('is judged anew after a pause, in which the page was hidden', () => {
    const { watch, wait } = show('own')
    watch(black, 5)
    wait(10_000)
    expect(watch(black, 4)).toEqual([null, null, null, null])
  })

  test('that stands still is no loop, and one that is black is not called still', () => {
    expect(show('own').watch(still, 200)).not.toContain('looped')
    const flat: Clip = () => new Uint8ClampedArray(CLIP_SIDE * CLIP_SIDE * 4)
    expect(show('own').watch(flat, 20).at(-1)).toBe('black')
  })
})

test('a picture in which the same poses come again and again costs no more than some hundred comparisons a reading', () => {
  const pose = (isBright: (x: number) => boolean) =>
    readingOf(
      Uint8ClampedArray.from({ length: CLIP_SIDE * CLIP_SIDE * 4 }, (_, at) =>
        isBright(Math.floor(at / 4) % CLIP_SIDE) ? 200 : 60,
      ),
      CLIP_SIDE,
    )
  const chance = createDice(11)
  const poses = [pose((x) => x < CLIP_SIDE / 2), pose((x) => x >= CLIP_SIDE / 2)] as const
  let compared = 0
  const readings = Array.from({ length: 128 }, (_, index) => {
    const reading = chance.next() < 0.35 ? poses[0] : poses[1]
    return {
      at: index * 1_000 + chance.next() * 200,
      get reading() {
        compared += 0.5
        return reading
      },
    }
  })
  expect(isLooped(readings, { reading: poses[0], at: 128_000 })).toBe(false)
  expect(compared).toBeGreaterThan(50)
  expect(compared).toBeLessThanOrEqual(1_800)
})
