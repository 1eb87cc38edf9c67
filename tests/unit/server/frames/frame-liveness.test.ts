import { expect, test } from 'vitest'
import { isNotable, livenessOf } from '../../../../server/frames/rules/frame-liveness.ts'
import { differenceOf, printOf } from '../../../../server/frames/rules/picture-print.ts'

const SIDE = 72

/** Returns a picture with the grey value `grey` at each position. */
function picture(grey: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: SIDE * SIDE * 3 }, (_value, index) => {
    const pixel = Math.floor(index / 3)
    return grey(pixel % SIDE, Math.floor(pixel / SIDE))
  })
}

const rising = (x: number) => 20 + x * 3
const falling = (x: number) => 235 - x * 3

test('pictures of one scene have the same fingerprint in any light, other scenes a different one', () => {
  const print = (grey: (x: number, y: number) => number) => printOf(picture(grey), SIDE).print
  expect(
    differenceOf(
      print(rising),
      print((x) => rising(x) * 0.5 + 10),
    ),
  ).toBe(0)
  expect(differenceOf(print(rising), print(falling))).toBe(64)
  const half = (x: number, y: number) => (y < SIDE / 2 ? rising(x) : falling(x))
  expect(differenceOf(print(rising), print(half))).toBe(32)
})

test('a camera that is off is black, a dark room with a lamp is not', () => {
  expect(
    printOf(
      picture(() => 2),
      SIDE,
    ).black,
  ).toBe(true)
  expect(
    printOf(
      picture((x, y) => (x < 16 && y < 16 ? 200 : 2)),
      SIDE,
    ).black,
  ).toBe(false)
})

type Picture = [at: number, print: bigint | 'black' | 'changed']
const frames = (...pictures: Picture[]) =>
  pictures.map(([at, print]) => ({
    at,
    print: typeof print === 'string' ? 0n : print,
    black: print === 'black',
    changed: print === 'changed',
  }))

test('different pictures every ten seconds are no signal', () => {
  const came = Array.from({ length: 12 }, (_picture, index): Picture => [10_000 * (index + 1), BigInt(index * 7)])
  const liveness = livenessOf({ from: 0, to: 121_000 }, frames(...came))
  expect(liveness).toEqual({ expected: 12, came: 12, black: 0, changed: 0, longestGapMs: 10_000, sameFrameRepeated: 1 })
  expect(isNotable(liveness)).toBe(false)
})

test('a gap at the beginning, in the middle or at the end is a signal', () => {
  const gapOf = (...times: number[]) =>
    livenessOf({ from: 0, to: 100_000 }, frames(...times.map((at): Picture => [at, BigInt(at)]))).longestGapMs
  expect([gapOf(70_000, 80_000), gapOf(10_000, 80_000), gapOf(10_000, 20_000, 30_000), gapOf()]).toEqual([
    70_000, 70_000, 70_000, 100_000,
  ])
  expect(isNotable(livenessOf({ from: 0, to: 100_000 }, []))).toBe(true)
  expect(isNotable(livenessOf({ from: 0, to: 59_999 }, []))).toBe(false)
})

test('black pictures count as received: a camera that is off is no gap and no repetition', () => {
  const came = Array.from({ length: 20 }, (_picture, index): Picture => [10_000 * (index + 1), 'black'])
  const liveness = livenessOf({ from: 0, to: 200_000 }, frames(...came))
  expect(liveness).toMatchObject({ came: 20, black: 20, longestGapMs: 10_000, sameFrameRepeated: 0 })
  expect(isNotable(liveness)).toBe(false)
})

test('pictures that the browser replaced by noise are a signal, and no repetition', () => {
  const came = Array.from({ length: 20 }, (_picture, index): Picture => [10_000 * (index + 1), 'changed'])
  const liveness = livenessOf({ from: 0, to: 200_000 }, frames(...came))
  expect(liveness).toMatchObject({ came: 20, changed: 20, longestGapMs: 10_000, sameFrameRepeated: 0 })
  expect(isNotable(liveness)).toBe(true)
})

test('a repeated picture is a signal, also with a flickering cell', () => {
  const still = Array.from({ length: 12 }, (_picture, index): Picture => [10_000 * (index + 1), BigInt(index % 2)])
  const liveness = livenessOf({ from: 0, to: 120_000 }, frames(...still))
  expect(liveness.sameFrameRepeated).toBe(12)
  expect(isNotable(liveness)).toBe(true)
  const moved = frames([1, 0n], [2, 0n], [3, 3n], [4, 3n], [5, 3n], [6, 'black'], [7, 3n])
  expect(livenessOf({ from: 0, to: 8 }, moved).sameFrameRepeated).toBe(3)
})
