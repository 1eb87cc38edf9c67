import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { ServiceStatus } from '#protocol/service-status.ts'
import type { PageAttention } from '../../../src/platform/ports.ts'
import { createServiceStatusStore } from '../../../src/site/state/service-status.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'
import { silentLog } from '../../support/silent-log.ts'

const works = { state: 'works' } as const
const fine: ServiceStatus = { signIn: works, matching: works, calls: works, pictures: works }

/** A page that the test shows, hides and takes from the network, over a server that it answers for. */
function open(answer: () => ServiceStatus | Promise<ServiceStatus> = () => fine) {
  const world = { answer, state: 'awake' as ReturnType<PageAttention['state']> }
  const listeners = new Set<() => void>()
  const clock = fakeClock(1_000)
  const api = fakeApi({ readServiceStatus: () => world.answer() })
  const page: PageAttention = {
    state: () => world.state,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const log = silentLog()
  const store = createServiceStatusStore({ api, log, clock, page })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    world,
    clock,
    store,
    log,
    listeners,
    settled,
    requests: () => api.made.length,
    /** Lets this time pass, and what was asked be answered. */
    async pass(ms: number): Promise<void> {
      clock.advance(ms)
      await settled()
    },
    async become(state: ReturnType<PageAttention['state']>): Promise<void> {
      world.state = state
      for (const listener of listeners) listener()
      await settled()
    },
  }
}

test('is read at once and every 30 s, until the page is left', async () => {
  const { store, settled, pass, requests, clock, listeners } = open()
  const stop = store.watch()
  expect(store.seen.value).toEqual({ what: 'reading' })
  await settled()
  expect(store.seen.value).toEqual({ what: 'read', status: fine, at: 1_000 })
  await pass(30_000)
  expect(store.seen.value).toEqual({ what: 'read', status: fine, at: 31_000 })
  expect(requests()).toBe(2)
  stop()
  await pass(120_000)
  expect([requests(), clock.waiting(), listeners.size]).toEqual([2, 0, 0])
})

test('is not read while the page is hidden, and at once when it is shown again', async () => {
  const { store, settled, become, pass, requests, clock } = open()
  store.watch()
  await settled()
  await become('hidden')
  expect(clock.waiting()).toBe(0)
  await pass(600_000)
  expect(requests()).toBe(1)
  await become('awake')
  expect(store.seen.value).toMatchObject({ what: 'read', at: 601_000 })
  expect([requests(), clock.waiting()]).toEqual([2, 1])
})

test('what was known before a long pause is not shown again, and what was known a moment ago is', async () => {
  const { store, world, settled, become, pass } = open()
  store.watch()
  await settled()
  world.answer = () => new Promise(() => {})
  await become('hidden')
  await pass(20_000)
  await become('awake')
  expect(store.seen.value).toMatchObject({ what: 'read', at: 1_000 })
  await become('hidden')
  await pass(60_000)
  await become('awake')
  expect(store.seen.value).toEqual({ what: 'reading' })
})

test('a page that opens hidden asks nothing', async () => {
  const { store, world, settled, requests } = open()
  world.state = 'hidden'
  store.watch()
  await settled()
  expect(requests()).toBe(0)
})

test('without an answer the service is unreachable since the first failure, until it answers', async () => {
  const { store, world, settled, pass, log } = open(() => Promise.reject(new AppError('network-error')))
  store.watch()
  await settled()
  await pass(30_000)
  expect(store.seen.value).toEqual({ what: 'unreachable', since: 1_000 })
  expect(log.errors).toHaveLength(2)
  world.answer = () => fine
  await pass(30_000)
  expect(store.seen.value).toEqual({ what: 'read', status: fine, at: 61_000 })
})

test('a device that is offline says nothing about the service, and asks again when it is back', async () => {
  const { store, world, settled, become, pass, requests } = open()
  store.watch()
  await settled()
  await become('offline')
  await pass(120_000)
  expect([store.seen.value, requests()]).toEqual([{ what: 'offline' }, 1])
  world.answer = () => Promise.reject(new AppError('network-error'))
  await become('awake')
  expect(store.seen.value).toEqual({ what: 'unreachable', since: 121_000 })
})

test('an answer that comes after the page was hidden changes nothing', async () => {
  const late = Promise.withResolvers<ServiceStatus>()
  const { store, become, settled, log } = open(() => late.promise)
  store.watch()
  await become('hidden')
  late.resolve(fine)
  await settled()
  expect(store.seen.value).toEqual({ what: 'reading' })
  expect(log.errors).toEqual([])
})
