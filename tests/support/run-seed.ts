import { randomInt } from 'node:crypto'
import { createDice } from './dice.ts'

/** The seed of all random numbers of these tests; TEST_SEED sets it, to repeat a failure. */
export const runSeed = Number(process.env.TEST_SEED ?? randomInt(2 ** 32))
console.log(`random numbers: TEST_SEED=${runSeed}`)

/** Returns a replacement of Math.random, seeded by this run; it repeats for the same `stream`. */
export const seededRandom = (stream = 0): (() => number) => createDice(runSeed + stream).next
