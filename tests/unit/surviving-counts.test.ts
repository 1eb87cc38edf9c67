import { expect, test } from 'vitest'
import { type Counts, countsWithFallback, LocalCounts } from '../../server/platform/rules/counts.ts'
import { createFallback } from '../../server/platform/rules/fallback.ts'
import { fakeClock } from '../support/fake-clock.ts'

const MINUTE = 60_000

function setUp() {
  const clock = fakeClock(1_000_000)
  const others = new LocalCounts(clock.now)
  const heard: boolean[] = []
  let asked = 0
  let answer: 'well' | 'with a fault' | 'never' = 'well'
  const shared: Counts = {
    add(key, windowMs) {
      asked += 1
      if (answer === 'never') return new Promise(() => undefined)
      return answer === 'well' ? others.add(key, windowMs) : Promise.reject(new Error('Redis is away'))
    },
    forget: (key) => (answer === 'well' ? others.forget(key) : Promise.reject(new Error('Redis is away'))),
  }
  const survive = createFallback(clock, (alone) => heard.push(alone))
  const counts = countsWithFallback(survive, shared, new LocalCounts(clock.now))
  return {
    clock,
    counts,
    others,
    heard,
    asked: () => asked,
    let(how: typeof answer) {
      answer = how
    },
  }
}

test('counts with the others, and alone from the first fault until they answer again', async () => {
  const { clock, counts, heard, asked, let: answerWith } = setUp()
  expect((await counts.add('a', MINUTE)).count).toBe(1)
  expect((await counts.add('a', MINUTE)).count).toBe(2)
  answerWith('with a fault')
  expect(await counts.add('a', MINUTE)).toEqual({ count: 1, leftMs: MINUTE })
  expect((await counts.add('a', MINUTE)).count).toBe(2)
  expect(asked()).toBe(3)
  clock.advance(1_000)
  expect((await counts.add('a', MINUTE)).count).toBe(3)
  expect(asked()).toBe(4)
  answerWith('well')
  clock.advance(999)
  expect((await counts.add('a', MINUTE)).count).toBe(4)
  clock.advance(1)
  expect((await counts.add('a', MINUTE)).count).toBe(3)
  expect(heard).toEqual([true, false])
})

test('nobody waits for others who say nothing', async () => {
  const { clock, counts, asked, let: answerWith } = setUp()
  answerWith('never')
  const waiting = counts.add('a', MINUTE)
  clock.advance(250)
  expect((await waiting).count).toBe(1)
  expect((await counts.add('a', MINUTE)).count).toBe(2)
  expect(asked()).toBe(1)
  expect(clock.waiting()).toBe(0)
})

test('what is forgotten is forgotten on both sides, and no fault is passed on', async () => {
  const { counts, others, let: answerWith } = setUp()
  await counts.add('a', MINUTE)
  await counts.forget('a')
  expect((await others.add('a', MINUTE)).count).toBe(1)
  answerWith('with a fault')
  await counts.add('a', MINUTE)
  await counts.forget('a')
  expect((await counts.add('a', MINUTE)).count).toBe(1)
})
