import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type IdempotencyStore, LocalIdempotencyStore } from '../../../../server/platform/http/idempotency.ts'
import { createSharedIdempotencyStore } from '../../../../server/platform/http/shared-idempotency.ts'
import { movableClock } from '../../../support/movable-clock.ts'
import type { Store } from '../../../support/stores/store.ts'
import { backends, type StoreBackend } from '../../../support/stores/stores.ts'

/** What keyed calls come to: in the memory of one server, and between servers that share a database. */

const log = pino({ level: 'silent' })
const clock = movableClock()
let close: () => Promise<void>

type Servers = { one: IdempotencyStore; other: IdempotencyStore; account: string }

async function alone(): Promise<Servers> {
  close = async () => undefined
  const one = new LocalIdempotencyStore(clock.now)
  return { one, other: one, account: 'ada' }
}

async function sharing(backend: StoreBackend): Promise<Servers & { store: Store }> {
  const store = await backend.open()
  close = async () => {
    await store.close()
    await backend.remove()
  }
  const identity = { provider: 'Google', subject: 'ada', email: 'ada@example.org', firstName: 'Ada' } as const
  const { id } = await store.accounts.signIn({ ...identity, lastName: 'NA' }, 1)
  const server = () => createSharedIdempotencyStore({ records: store.idempotency, clock, newId: randomUUID, log })
  return { one: server(), other: server(), account: id, store }
}

const kinds = [
  { name: 'of one server', make: alone },
  ...backends.map(({ name, make }) => ({
    name: `of two servers over ${name}`,
    make: async () => sharing(await make()),
  })),
]

describe.each(kinds)('repeats $name', ({ make }) => {
  let servers: Servers
  beforeEach(async () => {
    servers = await make()
  })
  afterEach(() => close())

  const idOf = (key: string) => ({ account: servers.account, endpoint: 'appeal', key })
  const answers = v.object({ done: v.number() })
  let done = 0
  const work = async () => {
    done += 1
    return { done }
  }
  const never = () => Promise.reject(new Error('carried out twice'))

  test('a repeat that comes while the first is in work waits for it', async () => {
    const { one, other } = servers
    const held = Promise.withResolvers<{ done: number }>()
    const begun = Promise.withResolvers<void>()
    const first = one.once(idOf('a'), answers, () => {
      begun.resolve()
      return held.promise
    })
    await begun.promise
    const second = other.once(idOf('a'), answers, never)
    const third = one.once(idOf('a'), answers, never)
    held.resolve({ done: 7 })
    expect(await Promise.all([first, second, third])).toEqual([{ done: 7 }, { done: 7 }, { done: 7 }])
  })

  test('of many at once one is carried out', async () => {
    const before = done
    const { one, other } = servers
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 ? one : other).once(idOf('a'), answers, work)),
    )
    expect(done).toBe(before + 1)
    expect(all).toEqual(all.map(() => ({ done })))
  })

  test('what failed is tried again, what was done is forgotten after five minutes', async () => {
    const { one, other } = servers
    await expect(one.once(idOf('a'), answers, () => Promise.reject(new Error('not now')))).rejects.toThrow('not now')
    const first = await other.once(idOf('a'), answers, work)
    clock.forward(5 * 60_000 - 1_000)
    expect(await one.once(idOf('a'), answers, never)).toEqual(first)
    clock.forward(1_000)
    expect(await one.once(idOf('a'), answers, work)).toEqual({ done })
    expect({ done }).not.toEqual(first)
  })

  test('as many repeats as a browser makes are free', async () => {
    const { one, other } = servers
    expect(await one.isFree(idOf('a'))).toBe(false)
    await one.once(idOf('a'), answers, work)
    expect([await other.isFree(idOf('a')), await one.isFree(idOf('a')), await one.isFree(idOf('a'))]).toEqual([
      true,
      true,
      false,
    ])
    expect(await one.isFree(idOf('b'))).toBe(false)
  })

  test('calls, keys and people have nothing to do with each other', async () => {
    const { one } = servers
    const first = await one.once(idOf('a'), answers, work)
    expect(await one.once(idOf('b'), answers, work)).not.toEqual(first)
    expect(await one.once({ ...idOf('a'), endpoint: 'addVideoFrame' }, answers, work)).not.toEqual(first)
  })
})

test.each(backends)('a claim of a server that died is free after half a minute, over $name', async ({ make }) => {
  const { account, other, store } = await sharing(await make())
  const id = { account, endpoint: 'appeal', key: 'a' }
  const answers = v.string()
  const now = clock.now()
  await store.idempotency.claim(id, { owner: 'gone', now, until: now + 30_000, freeRepeats: 2 })
  clock.forward(30_000)
  expect(await other.once(id, answers, async () => 'by the other')).toBe('by the other')
  // Late, and no longer its business.
  await store.idempotency.complete(id, 'gone', '"by the dead"', clock.now() + 60_000)
  await store.idempotency.release(id, 'gone')
  expect(await other.once(id, answers, async () => 'again')).toBe('by the other')
  await store.idempotency.deleteExpired(clock.now() + 5 * 60_000)
  expect(await other.once(id, answers, async () => 'again')).toBe('again')
  await close()
})

test('however many calls come, what one server remembers of them has an end', async () => {
  const idempotency = new LocalIdempotencyStore(() => 0)
  const idOf = (key: number) => ({ account: 'ada', endpoint: 'appeal', key: String(key) })
  for (let key = 0; key < 30_000; key += 1) await idempotency.once(idOf(key), v.number(), async () => key)
  expect(await idempotency.isFree(idOf(0))).toBe(false)
  expect(await idempotency.isFree(idOf(29_999))).toBe(true)
})
