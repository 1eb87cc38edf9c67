import { describe, expect, test } from 'vitest'
import { createPrivacyStore } from '../../../src/stores/privacy.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { silentLog } from '../../support/silent-log.ts'

function browser() {
  const kept = new Map<string, Blob | string>()
  const storage = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: Blob | string) => void kept.set(key, value),
  }
  return { kept, visit: () => createPrivacyStore({ storage, clock: fakeClock(), log: silentLog() }) }
}

test('is off, and not known, before it was read', async () => {
  const privacy = browser().visit()
  expect([privacy.relayOnly.value, privacy.known.value]).toEqual([false, false])
  await privacy.restore()
  expect([privacy.relayOnly.value, privacy.known.value]).toEqual([false, true])
})

test('is stored in both positions', async () => {
  const { visit } = browser()
  for (const on of [true, false]) {
    visit().hideAddress(on)
    const next = visit()
    await next.restore()
    expect(next.relayOnly.value).toBe(on)
  }
})

test('a choice made while the stored one is read stays', async () => {
  const { visit } = browser()
  visit().hideAddress(false)
  const privacy = visit()
  const restored = privacy.restore()
  privacy.hideAddress(true)
  await restored
  expect(privacy.relayOnly.value).toBe(true)
})

test('is off after the user’s data were cleared', async () => {
  const { kept, visit } = browser()
  const privacy = visit()
  privacy.hideAddress(true)
  kept.clear()
  await privacy.restore()
  expect(privacy.relayOnly.value).toBe(false)
})

test.each(['', 'true', new Blob(['on'])])('something else in its place (%j) is off', async (value) => {
  const { kept, visit } = browser()
  visit().hideAddress(true)
  for (const key of kept.keys()) kept.set(key, value)
  const privacy = visit()
  await privacy.restore()
  expect(privacy.relayOnly.value).toBe(false)
})

test('applies if the browser stores nothing, which is logged', async () => {
  const log = silentLog()
  const full = new Error('full')
  const privacy = createPrivacyStore({
    storage: { get: async () => undefined, set: () => Promise.reject(full) },
    clock: fakeClock(),
    log,
  })
  privacy.hideAddress(true)
  expect(privacy.relayOnly.value).toBe(true)
  await expect.poll(() => log.errors).toEqual(['The choice of hideNetworkAddress was not kept'])
})

describe('a stored choice that cannot be read', () => {
  function unreadable() {
    const stored = Promise.withResolvers<string | undefined>()
    const clock = fakeClock()
    const storage = { get: () => stored.promise, set: async () => {} }
    return { stored, clock, privacy: createPrivacyStore({ storage, clock, log: silentLog() }) }
  }

  test('keeps nobody from the dashboard: the address is hidden until the user chooses', async () => {
    const { clock, privacy } = unreadable()
    const restored = privacy.restore()
    clock.advance(2_999)
    expect(privacy.known.value).toBe(false)
    clock.advance(1)
    await restored
    expect([privacy.known.value, privacy.unread.value, privacy.relayOnly.value]).toEqual([true, true, true])
    privacy.hideAddress(false)
    expect([privacy.known.value, privacy.unread.value, privacy.relayOnly.value]).toEqual([true, false, false])
  })

  test('applies when it comes late', async () => {
    const { clock, privacy, stored } = unreadable()
    const restored = privacy.restore()
    clock.advance(3_000)
    await restored
    stored.resolve('off')
    await expect.poll(() => privacy.unread.value).toBe(false)
    expect([privacy.known.value, privacy.relayOnly.value]).toEqual([true, false])
  })

  test('that fails is the same', async () => {
    const { privacy, stored } = unreadable()
    stored.reject(new Error('broken'))
    await privacy.restore()
    expect([privacy.known.value, privacy.unread.value, privacy.relayOnly.value]).toEqual([true, true, true])
  })
})
