import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RedisCounts } from '../../../../server/platform/redis/redis-counts.ts'
import { type Counts, LocalCounts } from '../../../../server/platform/rules/counts.ts'
import { movableClock } from '../../../support/movable-clock.ts'
import { redisOfFile } from '../../../support/servers/redis-of-file.ts'

/** What limits are counted in: the memory of one server, and Redis for several. */

const MINUTE = 60_000
const redis = redisOfFile()
let runs = 0

const kinds: { name: string; make: () => Counts }[] = [
  { name: 'in memory', make: () => new LocalCounts(Date.now) },
  {
    name: 'in Redis',
    make() {
      runs += 1
      const run = runs
      return new RedisCounts(redis.client, (text) => `${run} ${text}`)
    },
  },
]

describe.each(kinds)('counts $name', ({ make }) => {
  test('of any order of additions each key has its own count, and what is forgotten begins anew', async () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', '}{', 'ä ', ''), forget: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        const counts = make()
        const expected = new Map<string, number>()
        for (const { key, forget } of steps) {
          if (forget) await counts.forget(key)
          const count = forget ? 1 : (expected.get(key) ?? 0) + 1
          expected.set(key, count)
          const answer = await counts.add(key, MINUTE)
          expect(answer.count).toBe(count)
          expect(answer.leftMs).toBeGreaterThan(0)
          expect(answer.leftMs).toBeLessThanOrEqual(MINUTE)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('of many at the same moment each gets a number of its own', async () => {
    const counts = make()
    const answers = await Promise.all(Array.from({ length: 200 }, () => counts.add('a', MINUTE)))
    expect(answers.map(({ count }) => count).sort((a, b) => a - b)).toEqual(answers.map((_, n) => n + 1))
  })

  test('of several at once each addition is counted whole, and nothing is counted by asking', async () => {
    const counts = make()
    expect(await counts.add('a', MINUTE, 0)).toEqual({ count: 0, leftMs: 0 })
    expect((await counts.add('a', MINUTE, 12)).count).toBe(12)
    expect((await counts.add('a', MINUTE)).count).toBe(13)
    const asked = await counts.add('a', MINUTE, 0)
    expect(asked.count).toBe(13)
    expect(asked.leftMs).toBeGreaterThan(0)
  })

  test('a window ends by its own time, however often something happens in it', async () => {
    const counts = make()
    expect(await counts.add('a', 200)).toEqual({ count: 1, leftMs: 200 })
    expect((await counts.add('a', MINUTE)).leftMs).toBeLessThanOrEqual(200)
    await expect.poll(async () => (await counts.add('a', MINUTE)).count, { interval: 10 }).toBe(1)
    expect((await counts.add('a', 200)).leftMs).toBeGreaterThan(200)
  })
})

test('what Redis is told names nobody, and goes by itself', async () => {
  const counts = new RedisCounts(redis.client, () => 'digest')
  await counts.add('192.0.2.1', MINUTE)
  const keys = await redis.client.keys('waggle:count:*')
  expect(keys.join()).not.toContain('192.0.2.1')
  for (const key of keys) expect(await redis.client.pTTL(key)).toBeGreaterThan(0)
})

test('memory holds no more keys than it should, and lets those go that are over', async () => {
  const clock = movableClock()
  const counts = new LocalCounts(clock.now)
  await counts.add('first', MINUTE)
  for (let n = 0; n < 100_000; n += 1) await counts.add(`${n}`, MINUTE)
  expect((await counts.add('99999', MINUTE)).count).toBe(2)
  expect((await counts.add('first', MINUTE)).count).toBe(1)
  clock.forward(MINUTE)
  expect((await counts.add('99999', MINUTE)).count).toBe(1)
})
