import { describe, expect, test } from 'vitest'
import { RedisDecayingSums } from '../../../../server/platform/redis/redis-decaying-sums.ts'
import {
  type DecayingSums,
  LocalDecayingSums,
  sumsWithFallback,
} from '../../../../server/platform/rules/decaying-sums.ts'
import { createFallback } from '../../../../server/platform/rules/fallback.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { redisOfFile } from '../../../support/servers/redis-of-file.ts'

const redis = redisOfFile()
const fields = ['failed', 'good'] as const
/** So long that nothing decays while a test runs. */
const LONG_MS = 1e12
let runs = 0

function redisSums(halfLifeMs: number): RedisDecayingSums<'failed' | 'good'> {
  runs += 1
  const run = runs
  return new RedisDecayingSums(redis.client, { name: 'test', fields, halfLifeMs, digest: (text) => `${run} ${text}` })
}

const kinds: { name: string; make: () => DecayingSums<'failed' | 'good'> }[] = [
  { name: 'in memory', make: () => new LocalDecayingSums(Date.now, fields, LONG_MS) },
  { name: 'in Redis', make: () => redisSums(LONG_MS) },
]

describe.each(kinds)('sums $name', ({ make }) => {
  test('each key has sums of its own; an addition resolves with those before', async () => {
    const sums = make()
    expect(await sums.read('ann')).toEqual({ failed: 0, good: 0 })
    expect(await sums.add('ann', { failed: 0.25, good: 1 })).toEqual({ failed: 0, good: 0 })
    const before = await sums.add('ann', { failed: 2, good: 0 })
    expect(before.failed).toBeCloseTo(0.25)
    const after = await sums.read('ann')
    expect(after.failed).toBeCloseTo(2.25)
    expect(after.good).toBeCloseTo(1)
    expect(await sums.read('bob')).toEqual({ failed: 0, good: 0 })
  })

  test('of many additions at the same moment none is lost', async () => {
    const sums = make()
    await Promise.all(Array.from({ length: 100 }, () => sums.add('ann', { failed: 1, good: 0 })))
    expect((await sums.read('ann')).failed).toBeCloseTo(100)
  })
})

test('a sum in memory halves in each half-life and is forgotten at last', async () => {
  const clock = fakeClock()
  const sums = new LocalDecayingSums(clock.now, fields, 1_000)
  await sums.add('ann', { failed: 8, good: 4 })
  clock.advance(2_000)
  expect(await sums.read('ann')).toEqual({ failed: 2, good: 1 })
  await sums.add('ann', { failed: 6, good: 0 })
  clock.advance(1_000)
  expect(await sums.read('ann')).toEqual({ failed: 4, good: 0.5 })
  clock.advance(8_000)
  expect(await sums.read('ann')).toEqual({ failed: 0, good: 0 })
})

test('a sum in Redis decays by the time of Redis, and expires', async () => {
  const sums = redisSums(100)
  await sums.add('ann', { failed: 8, good: 0 })
  await expect.poll(async () => (await sums.read('ann')).failed).toBeLessThan(4)
  await expect.poll(() => redis.client.exists(`waggle:test:{${runs} ann}`)).toBe(0)
})

test('while the others are away this server sums alone', async () => {
  const clock = fakeClock()
  const away = new RedisDecayingSums(
    { eval: () => Promise.reject(new Error('away')), evalSha: () => Promise.reject(new Error('away')) },
    { name: 'test', fields, halfLifeMs: 1_000, digest: (text) => text },
  )
  const sums = sumsWithFallback(
    createFallback(clock, () => undefined),
    away,
    new LocalDecayingSums(clock.now, fields, 1_000),
  )
  await sums.add('ann', { failed: 2, good: 0 })
  expect(await sums.read('ann')).toEqual({ failed: 2, good: 0 })
})
