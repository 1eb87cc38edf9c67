import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { RedisNotes } from '../../../../server/platform/redis/redis-notes.ts'
import { LocalNotes, type NoteLimits, type Notes } from '../../../../server/platform/rules/notes.ts'
import { movableClock } from '../../../support/movable-clock.ts'
import { redisOfFile } from '../../../support/servers/redis-of-file.ts'

/** What is noted about people for a while: in the memory of one server, and in Redis for several. */

const redis = redisOfFile()
let runs = 0

const MINUTE = 60_000
const schema = v.object({ n: v.number() })
type Note = v.InferOutput<typeof schema>

const kinds: { name: string; make: (limits: NoteLimits) => Notes<Note> }[] = [
  { name: 'in memory', make: (limits) => new LocalNotes(Date.now, limits) },
  {
    name: 'in Redis',
    make(limits) {
      runs += 1
      return new RedisNotes(redis.client, {
        ...limits,
        name: `run-${runs}`,
        digest: (text) => `digest of ${text}`,
        schema,
      })
    },
  },
]

describe.each(kinds)('notes $name', ({ make }) => {
  test('are kept about each person in their order, the latest of them, until they are taken', async () => {
    const notes = make({ keepMs: MINUTE, most: 3 })
    expect(await notes.take('ada')).toEqual([])
    expect(await notes.add('ada', { n: 1 })).toEqual([{ n: 1 }])
    expect(await notes.add('bob', { n: 7 })).toEqual([{ n: 7 }])
    for (const n of [2, 3]) await notes.add('ada', { n })
    expect(await notes.add('ada', { n: 4 })).toEqual([{ n: 2 }, { n: 3 }, { n: 4 }])
    expect(await notes.take('ada')).toEqual([{ n: 2 }, { n: 3 }, { n: 4 }])
    expect(await notes.take('ada')).toEqual([])
    expect(await notes.add('ada', { n: 5 })).toEqual([{ n: 5 }])
    expect(await notes.take('bob')).toEqual([{ n: 7 }])
  })

  test('may be added without reading the others', async () => {
    const notes = make({ keepMs: MINUTE, most: 2 })
    for (const n of [1, 2, 3]) expect(await notes.push('ada', { n })).toBeUndefined()
    expect(await notes.add('ada', { n: 4 })).toEqual([{ n: 3 }, { n: 4 }])
    await notes.push('ada', { n: 5 })
    expect(await notes.take('ada')).toEqual([{ n: 4 }, { n: 5 }])
  })

  test('of many who take at once one gets them', async () => {
    const notes = make({ keepMs: MINUTE, most: 3 })
    await notes.add('ada', { n: 1 })
    const taken = await Promise.all(Array.from({ length: 20 }, () => notes.take('ada')))
    expect(taken.filter((some) => some.length > 0)).toEqual([[{ n: 1 }]])
  })
})

test('in memory they are forgotten when none has come for a while', async () => {
  const clock = movableClock()
  const notes = new LocalNotes<Note>(clock.now, { keepMs: MINUTE, most: 3 })
  await notes.add('ada', { n: 1 })
  clock.forward(MINUTE - 1)
  await notes.add('ada', { n: 2 })
  clock.forward(MINUTE - 1)
  expect(await notes.add('ada', { n: 3 })).toHaveLength(3)
  clock.forward(MINUTE)
  expect(await notes.take('ada')).toEqual([])
})

test('in Redis they go by themselves when none has come for a while', async () => {
  const notes = new RedisNotes(redis.client, { keepMs: MINUTE, most: 3, name: 'brief', digest: (text) => text, schema })
  await notes.add('ada', { n: 1 })
  await redis.client.pExpire('waggle:brief:{ada}', 50)
  await notes.add('ada', { n: 2 })
  expect(await redis.client.pTTL('waggle:brief:{ada}')).toBeGreaterThan(50)
  await redis.client.pExpire('waggle:brief:{ada}', 50)
  await expect.poll(() => redis.client.exists('waggle:brief:{ada}')).toBe(0)
  expect(await notes.take('ada')).toEqual([])
})

test('Redis holds no name of anybody, and nothing for ever', async () => {
  const [, inRedis] = kinds
  await inRedis?.make({ keepMs: MINUTE, most: 3 }).add('ada', { n: 1 })
  const keys = await redis.client.keys('waggle:run-*')
  expect(keys.length).toBeGreaterThan(0)
  for (const key of keys) expect(await redis.client.pTTL(key)).toBeGreaterThan(0)
})
