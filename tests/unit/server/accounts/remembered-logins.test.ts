import { expect, test } from 'vitest'
import { REMEMBER_MS, RememberedLogins, ROUND_MS } from '../../../../server/accounts/remembered-logins.ts'
import type { SignedIn } from '../../../../server/accounts/rules/ports.ts'
import { ACCESS_TOKEN_MS } from '../../../../server/accounts/rules/tokens.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

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
  const signedInAt = clock.now()
  const caller: SignedIn = { account, sessionId: 's', signedInAt }
  /** What the records say of the login, null after its end, and how often they were read. */
  const records: { caller: SignedIn | null; readings: number; isAway: boolean } = { caller, readings: 0, isAway: false }
  const remembered = new RememberedLogins({
    clock,
    hearsOthers: () => hears,
    async findCaller() {
      records.readings += 1
      if (records.isAway) throw new Error('the database is away')
      return records.caller
    },
  })
  /** Lets the time pass with a round of renewals whenever one is due. */
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= ROUND_MS) {
      clock.advance(Math.min(left, ROUND_MS))
      await remembered.renew()
    }
  }
  const login = { accountId: 'ada', sessionId: 's', signedInAt, issuedAt: signedInAt }
  const hear = (does: boolean) => {
    hears = does
  }
  return { clock, remembered, caller, login, hear, records, pass }
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

test('a login in use is checked again in time, so that none of its requests waits for a check', async () => {
  const { clock, remembered, caller, login, records, pass } = memory()
  remembered.set('token', login, caller, remembered.mark)
  clock.advance(1)
  expect(remembered.get('token')).toBe(caller)
  for (let requests = 0; requests < 6; requests += 1) {
    await pass(10_000)
    expect(remembered.get('token')).not.toBeNull()
  }
  // At most one reading in three seconds.
  expect(records.readings).toBeLessThan(20)
  await pass(20_000)
  expect(remembered.get('token')).toBeNull()
  const { readings } = records
  await pass(10_000)
  expect(records.readings).toBe(readings)
})

test('a login of which one request came is not checked again', async () => {
  const { remembered, caller, login, records, pass } = memory()
  remembered.set('token', login, caller, remembered.mark)
  await pass(REMEMBER_MS)
  expect(records.readings).toBe(0)
  expect(remembered.get('token')).toBeNull()
})

test.each<[string, SignedIn['account']['status'] | null]>([
  ['is over', null],
  ['is of a suspended user', 'Appeal'],
])('a check in the background finds that a login %s', async (_what, status) => {
  const { clock, remembered, caller, login, records, pass } = memory()
  remembered.set('token', login, caller, remembered.mark)
  clock.advance(1)
  remembered.get('token')
  records.caller = status && { ...caller, account: { ...account, status } }
  await pass(REMEMBER_MS - ROUND_MS)
  expect(remembered.get('token')).toBeNull()
})

test('a login that ends while it is checked in the background does not count', async () => {
  const { clock, remembered, caller, login } = memory()
  remembered.set('token', login, caller, remembered.mark)
  clock.advance(1)
  remembered.get('token')
  clock.advance(REMEMBER_MS - ROUND_MS)
  const renewing = remembered.renew()
  remembered.forget('ada')
  await renewing
  expect(remembered.get('token')).toBeNull()
})

test('while the records are away a check counts no longer than without renewals', async () => {
  const { clock, remembered, caller, login, records, pass } = memory()
  remembered.set('token', login, caller, remembered.mark)
  clock.advance(1)
  remembered.get('token')
  records.isAway = true
  await pass(REMEMBER_MS)
  expect(records.readings).toBeGreaterThan(0)
  expect(remembered.get('token')).toBeNull()
})
