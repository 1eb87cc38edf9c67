import { expect, test } from 'vitest'
import { REMEMBER_MS, RememberedLogins } from '../../server/accounts/remembered-logins.ts'
import { ACCESS_TOKEN_MS } from '../../server/accounts/rules/tokens.ts'
import { fakeClock } from '../support/fake-clock.ts'

const account = {
  id: 'ada',
  provider: 'Google',
  subject: 'ada',
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'NA',
  status: 'Valid',
  loginsSince: 0,
  language: 'en',
} as const

function memory() {
  const clock = fakeClock()
  let hears = true
  const remembered = new RememberedLogins({ clock, hearsOthers: () => hears })
  const signedInAt = clock.now()
  const caller = { account, sessionId: 's', signedInAt }
  const login = { accountId: 'ada', sessionId: 's', signedInAt, issuedAt: signedInAt }
  const hear = (does: boolean) => {
    hears = does
  }
  return { clock, remembered, caller, login, hear }
}

test('a check counts for five seconds, and never longer than its token', () => {
  const { clock, remembered, caller, login } = memory()
  remembered.set('token', login, caller, remembered.mark)
  clock.advance(REMEMBER_MS - 1)
  expect(remembered.get('token')).toBe(caller)
  expect(remembered.get('another token')).toBeNull()
  clock.advance(1)
  expect(remembered.get('token')).toBeNull()
  clock.advance(ACCESS_TOKEN_MS - REMEMBER_MS - 1_001)
  remembered.set('token', login, caller, remembered.mark)
  expect(remembered.get('token')).toBe(caller)
  clock.advance(1)
  expect(remembered.get('token')).toBeNull()
  remembered.set('token', login, caller, remembered.mark)
  expect(remembered.get('token')).toBeNull()
})

test('a check that was under way when the login ended does not count', () => {
  const { remembered, caller, login } = memory()
  const { mark } = remembered
  remembered.forget('bob')
  remembered.forget('ada')
  remembered.set('token', login, caller, mark)
  expect(remembered.get('token')).toBeNull()
  remembered.set('token', login, caller, remembered.mark)
  expect(remembered.get('token')).toBe(caller)
})

test('a server that may not hear of the ends of logins remembers none', () => {
  const { remembered, caller, login, hear } = memory()
  remembered.set('token', login, caller, remembered.mark)
  hear(false)
  expect(remembered.get('token')).toBeNull()
  remembered.set('token', login, caller, remembered.mark)
  hear(true)
  // An end of the login in between would never arrive here.
  expect(remembered.get('token')).toBeNull()
  remembered.set('token', login, caller, remembered.mark)
  expect(remembered.get('token')).toBe(caller)
})
