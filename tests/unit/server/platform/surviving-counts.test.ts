import { expect, test } from 'vitest'
import { type Counts, countsWithFallback, LocalCounts } from '../../../../server/platform/rules/counts.ts'
import { createFallback } from '../../../../server/platform/rules/fallback.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const MINUTE = 60_000

function setUp() {
  const clock = fakeClock(1_000_000)
  const others = new LocalCounts(clock.now)
  const changes: boolean[] = []
  let asked = 0
  let behaviour: 'well' | 'with a fault' | 'never' = 'well'
  const shared: Counts = {
    add(key, windowMs) {
      asked += 1
      if (behaviour === 'never') return new Promise(() => undefined)
      return behaviour === 'well' ? others.add(key, windowMs) : Promise.reject(new Error('Redis is away'))
    },
    forget: (key) => (behaviour === 'well' ? others.forget(key) : Promise.reject(new Error('Redis is away'))),
  }
  const survive = createFallback(clock, (alone) => changes.push(alone))
  const counts = countsWithFallback(survive, shared, new LocalCounts(clock.now))
  return {
    clock,
    counts,
    others,
    changes,
    asked: () => asked,
    let(how: typeof behaviour) {
      behaviour = how
    },
  }
}

test('uses the shared counts, and local ones from the first fault until the shared ones work again', async () => {
  const { clock, counts, changes, asked, let: answerWith } = setUp()
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
  expect(changes).toEqual([true, false])
})

test('shared counts that do not respond are abandoned after 250 ms', async () => {
  const { clock, counts, asked, let: answerWith } = setUp()
  answerWith('never')
  const waiting = counts.add('a', MINUTE)
  clock.advance(250)
  expect((await waiting).count).toBe(1)
  expect((await counts.add('a', MINUTE)).count).toBe(2)
  expect(asked()).toBe(1)
  expect(clock.waiting()).toBe(0)
})

test('`forget` removes a count on both sides, and does not reject on a fault', async () => {
  const { counts, others, let: answerWith } = setUp()
  await counts.add('a', MINUTE)
  await counts.forget('a')
  expect((await others.add('a', MINUTE)).count).toBe(1)
  answerWith('with a fault')
  await counts.add('a', MINUTE)
  await counts.forget('a')
  expect((await counts.add('a', MINUTE)).count).toBe(1)
})
