import { describe, expect, test } from 'vitest'
import type { Start } from '#protocol/start.ts'
import { startUp } from '../../../src/account/rules/start-up.ts'
import { firstVisit, startOf } from '../../support/fakes/start-of.ts'

// Rules: docs/product.md START-4 to START-8.

const now = 1_000_000
const known = (changed: Partial<Start> = {}) => startUp(startOf({ timestamp: 1_000_250, ...changed }), now)

test('a new visitor signs in, and the device entry is wanted', () => {
  expect(startUp({ ...firstVisit(), timestamp: 1_000_250 }, now)).toEqual({
    sessionId: 'visit-1',
    clockOffsetMs: 250,
    wantsEntry: true,
    to: 'login',
  })
})

test('a new login session goes to login, whatever else the response says', () => {
  expect(known({ session: 's1#new' })).toMatchObject({ to: 'login', sessionId: 's1' })
})

describe('a known visitor', () => {
  test('goes to the dashboard, with what it shows first', () => {
    const block = { status: 'Warning', case: null, notice: null } as const
    expect(known({ block, onlineUsers: 'many' })).toEqual({
      sessionId: 'visit-1',
      clockOffsetMs: 250,
      wantsEntry: false,
      to: 'dashboard',
      email: 'ada@example.org',
      nickName: 'Ada',
      first: { lobby: { block, onlineUsers: 'many' }, deletion: { deletion: null, delayDays: 3 } },
    })
  })

  test('goes to the dashboard, which asks for what the response lacks', () => {
    expect(known({ block: null, deletion: null })).toMatchObject({ to: 'dashboard', first: {} })
  })

  test.each<[string, Partial<Start>]>([
    ['has no profile', { profile: 'Empty' }],
    ['has a broken profile cookie', { profile: 'ada@example.org#Ada' }],
    ['is signed out', { profile: null, isSignedIn: false }],
    ['has a login that is not valid or cannot be refreshed', { isSignedIn: false }],
  ])('that %s signs in again', (_, changed) => {
    expect(known(changed)).toMatchObject({ to: 'login' })
  })
})

test.each(['', 's1', 's1#old', 's1#new#x', '#new', '%E0%A4%A#new'])('the session cookie %j is rejected', (session) => {
  expect(() => known({ session })).toThrow(expect.objectContaining({ code: 'cookie-invalid' }))
})

test('a server time that is no number sets no clock', () => {
  expect(known({ timestamp: Number.NaN })).toMatchObject({ clockOffsetMs: 0 })
})
