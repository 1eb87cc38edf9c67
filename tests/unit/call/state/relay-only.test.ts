import { describe, expect, test } from 'vitest'
import { createRelayOnlyStore } from '../../../../src/call/state/relay-only.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { silentLog } from '../../../support/silent-log.ts'

function browser() {
  const kept = new Map<string, Blob | string>()
  const storage = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: Blob | string) => void kept.set(key, value),
  }
  return { kept, visit: () => createRelayOnlyStore({ storage, clock: fakeClock(), log: silentLog() }) }
}

test('is off, and not known, before it was read', async () => {
  const relayOnly = browser().visit()
  expect([relayOnly.on.value, relayOnly.known.value]).toEqual([false, false])
  await relayOnly.restore()
  expect([relayOnly.on.value, relayOnly.known.value]).toEqual([false, true])
})

test('is stored in both positions', async () => {
  const { visit } = browser()
  for (const on of [true, false]) {
    visit().choose(on)
    const next = visit()
    await next.restore()
    expect(next.on.value).toBe(on)
  }
})

test('a choice made while the stored one is read stays', async () => {
  const { visit } = browser()
  visit().choose(false)
  const relayOnly = visit()
  const restored = relayOnly.restore()
  relayOnly.choose(true)
  await restored
  expect(relayOnly.on.value).toBe(true)
})

test('is off after the user’s data were cleared', async () => {
  const { kept, visit } = browser()
  const relayOnly = visit()
  relayOnly.choose(true)
  kept.clear()
  await relayOnly.restore()
  expect(relayOnly.on.value).toBe(false)
})

test.each(['', 'true', new Blob(['on'])])('something else in its place (%j) is off', async (value) => {
  const { kept, visit } = browser()
  visit().choose(true)
  for (const key of kept.keys()) kept.set(key, value)
  const relayOnly = visit()
  await relayOnly.restore()
  expect(relayOnly.on.value).toBe(false)
})

test('applies if the browser stores nothing, which is logged', async () => {
  const log = silentLog()
  const full = new Error('full')
  const relayOnly = createRelayOnlyStore({
    storage: { get: async () => undefined, set: () => Promise.reject(full) },
    clock: fakeClock(),
    log,
  })
  relayOnly.choose(true)
  expect(relayOnly.on.value).toBe(true)
  await expect.poll(() => log.errors).toEqual(['The choice of hideNetworkAddress was not kept'])
})

describe('a stored choice that cannot be read', () => {
  function unreadable() {
    const stored = Promise.withResolvers<string | undefined>()
    const clock = fakeClock()
    const storage = { get: () => stored.promise, set: async () => {} }
    return { stored, clock, relayOnly: createRelayOnlyStore({ storage, clock, log: silentLog() }) }
  }

  test('keeps nobody from the dashboard: the address is hidden until the user chooses', async () => {
    const { clock, relayOnly } = unreadable()
    const restored = relayOnly.restore()
    clock.advance(2_999)
    expect(relayOnly.known.value).toBe(false)
    clock.advance(1)
    await restored
    expect([relayOnly.known.value, relayOnly.unread.value, relayOnly.on.value]).toEqual([true, true, true])
    relayOnly.choose(false)
    expect([relayOnly.known.value, relayOnly.unread.value, relayOnly.on.value]).toEqual([true, false, false])
  })

  test('applies when it comes late', async () => {
    const { clock, relayOnly, stored } = unreadable()
    const restored = relayOnly.restore()
    clock.advance(3_000)
    await restored
    stored.resolve('off')
    await expect.poll(() => relayOnly.unread.value).toBe(false)
    expect([relayOnly.known.value, relayOnly.on.value]).toEqual([true, false])
  })

  test('that fails is the same', async () => {
    const { relayOnly, stored } = unreadable()
    stored.reject(new Error('broken'))
    await relayOnly.restore()
    expect([relayOnly.known.value, relayOnly.unread.value, relayOnly.on.value]).toEqual([true, true, true])
  })
})
