import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Rungs, stepRungs, topRung, type Verdict } from '../../../../src/call/rules/rungs.ts'
import { mostChanges } from '../../../support/call/steps.ts'

const LOWEST = 3
const verdicts: readonly Verdict[] = ['urgent', 'worse', 'bad', 'unknown', 'fair', 'good', 'free']
const anyVerdicts = fc.array(fc.constantFrom(...verdicts), { maxLength: 300, size: 'max' })

/** Returns the state after each of `count` readings whose verdict depends on the level. */
function follow(verdictAt: (level: number) => Verdict, count: number, lowest = LOWEST): Rungs[] {
  let state = topRung
  return Array.from({ length: count }, () => {
    state = stepRungs(state, verdictAt(state.level), lowest)
    return state
  })
}

/** Returns the readings at which a step up was taken. */
function upsOf(states: readonly Rungs[]): number[] {
  return states.flatMap(({ level }, index) => (level < (states[index - 1]?.level ?? 0) ? [index] : []))
}

test('for any readings the level stays within its bounds, moves by two at most, down only after trouble and up only after calm', () => {
  fc.assert(
    fc.property(anyVerdicts, fc.integer({ min: 1, max: LOWEST }), (all, lowest) => {
      let state = topRung
      for (const verdict of all) {
        const next = stepRungs(state, verdict, lowest)
        expect(next.level).toBeGreaterThanOrEqual(0)
        expect(next.level).toBeLessThanOrEqual(lowest)
        expect(next.level - state.level).toBeGreaterThanOrEqual(verdict === 'free' ? -2 : -1)
        expect(next.level - state.level).toBeLessThanOrEqual(verdict === 'worse' ? 2 : 1)
        if (next.level > state.level) expect(['urgent', 'worse', 'bad']).toContain(verdict)
        if (next.level < state.level) expect(['good', 'free']).toContain(verdict)
        expect(next.goodNeeded).toBeGreaterThanOrEqual(topRung.goodNeeded)
        state = next
      }
    }),
  )
})

test('one bad reading is not enough, an urgent one is, and two worse ones are two steps', () => {
  expect(stepRungs(topRung, 'bad', LOWEST).level).toBe(0)
  expect(stepRungs(topRung, 'urgent', LOWEST).level).toBe(1)
  expect(stepRungs(topRung, 'worse', LOWEST).level).toBe(0)
  expect(stepRungs(stepRungs(topRung, 'worse', LOWEST), 'worse', LOWEST).level).toBe(2)
  expect(stepRungs(stepRungs(topRung, 'bad', LOWEST), 'bad', LOWEST).level).toBe(1)
})

test.each(['fair', 'good'] as const)('a %s reading in between starts the count anew', (between) => {
  let state = topRung
  for (const verdict of ['bad', between, 'bad', between, 'bad'] as const) state = stepRungs(state, verdict, LOWEST)
  expect(state.level).toBe(0)
})

test('a step up needs good readings in a row', () => {
  let state: Rungs = { ...topRung, level: 1 }
  for (let times = 0; times < 20; times += 1) {
    for (let count = 1; count < topRung.goodNeeded; count += 1) state = stepRungs(state, 'good', LOWEST)
    state = stepRungs(state, 'fair', LOWEST)
  }
  expect(state.level).toBe(1)
  for (let count = 0; count < topRung.goodNeeded; count += 1) state = stepRungs(state, 'good', LOWEST)
  expect(state.level).toBe(0)
})

test('fair readings hold the level', () => {
  const states = follow((level) => (level < 1 ? 'bad' : 'fair'), 600)
  expect(states.at(-1)?.level).toBe(1)
  expect(upsOf(states)).toEqual([])
})

test('constant verdicts of each level cause at most four steps in any sixty readings, and one more on the way down from the top', () => {
  fc.assert(
    // A network is not free below a level on which it is bad.
    fc.property(
      fc.array(fc.constantFrom(...verdicts.filter((one) => one !== 'free')), { minLength: 4, maxLength: 4 }),
      fc.nat(1),
      (of, more) => {
        const lowest = 2 + more
        const levels = follow((level) => of[level] ?? 'fair', 1_200, lowest).map(({ level }) => level)
        expect(mostChanges([0, ...levels])).toBeLessThanOrEqual(4 + more)
        expect(mostChanges(levels.slice(60))).toBeLessThanOrEqual(4)
      },
    ),
  )
})

test('steps up that are undone are tried after longer and longer waits, up to a limit', () => {
  const ups = upsOf(follow((level) => (level === 0 ? 'bad' : 'good'), 1_500))
  const waits = ups.slice(1).map((at, index) => at - (ups[index] ?? 0))
  expect(waits.length).toBeGreaterThan(4)
  expect(waits).toEqual(waits.toSorted((one, other) => one - other))
  expect(waits.at(-1)).toBeGreaterThan(2 * (waits[0] ?? 0))
  expect(waits.at(-1)).toBe(waits.at(-2))
})

test('a step up that has lasted ends the longer waits', () => {
  let state: Rungs = { ...topRung, level: 1, goodNeeded: 4 * topRung.goodNeeded }
  for (let count = 0; count < 4 * topRung.goodNeeded; count += 1) state = stepRungs(state, 'good', LOWEST)
  expect(state).toMatchObject({ level: 0, goodNeeded: 4 * topRung.goodNeeded })
  for (let count = 0; count < 120; count += 1) state = stepRungs(state, 'good', LOWEST)
  expect(state).toMatchObject({ level: 0, goodNeeded: topRung.goodNeeded, trial: null })
})
