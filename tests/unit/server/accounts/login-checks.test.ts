import { expect, test } from 'vitest'
import type { TokenLogin } from '../../../../server/accounts/http/jwt.ts'
import { createFindCaller } from '../../../../server/accounts/login-checks.ts'
import { LOGIN_MS } from '../../../../server/accounts/rules/login-ports.ts'
import type { Account, SignedIn } from '../../../../server/accounts/rules/ports.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const GATHER_MS = 10

function accountOf(id: string): Account {
  const names = { provider: 'Google', subject: id, email: `${id}@example.org`, firstName: id, lastName: 'NA' } as const
  return { id, ...names, status: 'Valid', loginsSince: 0, language: 'en' }
}

/** Records in which Ada and Bob are signed in, with the ids of each reading. */
function checksForTest() {
  const clock = fakeClock(1_000_000)
  const readings: string[][] = []
  const signedIn = new Map<string, SignedIn>(
    ['ada', 'bob'].map((id) => [`s-${id}`, { sessionId: `s-${id}`, signedInAt: 1_000, account: accountOf(id) }]),
  )
  const fault = { isAway: false }
  const findCaller = createFindCaller({
    clock,
    accounts: {
      async signedInWith(ids) {
        readings.push([...ids])
        if (fault.isAway) throw new Error('the database is away')
        return ids.flatMap((id) => signedIn.get(id) ?? [])
      },
    },
  })
  const loginOf = (id: string): TokenLogin => ({
    accountId: id,
    sessionId: `s-${id}`,
    signedInAt: 1_000,
    issuedAt: 2_000,
  })
  return { clock, findCaller, readings, signedIn, loginOf, fault }
}

test('the first check is sent at once, and those that come soon after it together', async () => {
  const { clock, findCaller, readings, loginOf } = checksForTest()
  const first = findCaller(loginOf('ada'))
  const later = [findCaller(loginOf('bob')), findCaller(loginOf('ada')), findCaller(loginOf('bob'))]
  expect(readings).toEqual([['s-ada']])
  clock.advance(GATHER_MS)
  expect(readings).toEqual([['s-ada'], ['s-bob', 's-ada']])
  expect((await first)?.account.id).toBe('ada')
  expect((await Promise.all(later)).map((caller) => caller?.account.id)).toEqual(['bob', 'ada', 'bob'])
  clock.advance(GATHER_MS)
  expect(clock.waiting()).toBe(0)
  void findCaller(loginOf('ada'))
  expect(readings).toHaveLength(3)
})

test('a fault of the records fails the checks of one statement and no other', async () => {
  const { clock, findCaller, loginOf, fault } = checksForTest()
  fault.isAway = true
  await expect(findCaller(loginOf('ada'))).rejects.toThrow('away')
  fault.isAway = false
  const next = findCaller(loginOf('ada'))
  clock.advance(GATHER_MS)
  expect((await next)?.account.id).toBe('ada')
})

test.each<[string, (given: ReturnType<typeof checksForTest>) => TokenLogin]>([
  ['no login session', ({ loginOf }) => loginOf('eve')],
  ['a login session of another account', ({ loginOf }) => ({ ...loginOf('ada'), sessionId: 's-bob' })],
  ['a later sign-in', ({ loginOf }) => ({ ...loginOf('ada'), signedInAt: 999 })],
  [
    'an account whose logins before a moment are over',
    ({ loginOf, signedIn }) => {
      signedIn.set('s-ada', {
        sessionId: 's-ada',
        signedInAt: 1_000,
        account: { ...accountOf('ada'), loginsSince: 2_001 },
      })
      return loginOf('ada')
    },
  ],
  [
    'a sign-in too long ago',
    ({ clock, loginOf }) => {
      clock.advance(LOGIN_MS)
      return loginOf('ada')
    },
  ],
])('a login is over with %s', async (_what, prepare) => {
  const given = checksForTest()
  expect(await given.findCaller(prepare(given))).toBeNull()
})
