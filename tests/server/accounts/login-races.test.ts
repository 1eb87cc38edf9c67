import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { sized } from '../../../scripts/test-limits.ts'
import type { SignedLogin } from '../../../server/accounts/rules/login-ports.ts'
import { createEndLogin, isLive } from '../../../server/accounts/rules/own-logins.ts'
import { createRefreshTokenIssuer, REFRESH_GRACE_MS } from '../../../server/accounts/rules/tokens.ts'
import { tokenTools } from '../../../server/platform/crypto.ts'
import type { Store } from '../../support/stores/store.ts'
import { backends, type StoreBackend } from '../../support/stores/stores.ts'

type Delay = <A extends unknown[], R>(method: (...args: A) => Promise<R>) => (...args: A) => Promise<R>

const origin = { network: '192.0.2.0/24', device: 'a browser' }
const times = { startAt: DAY_MS, dueAt: 2 * DAY_MS }

/** One browser's login over a real store; each step of it waits for `delay`. */
async function setUp(store: Store, delay: Delay) {
  let now = 1_000
  const clock = { now: () => now, after: () => () => undefined }
  const name = randomUUID()
  const identity = { provider: 'Google', subject: name, email: name, firstName: 'A', lastName: 'B' } as const
  const { id: accountId } = await store.accounts.signIn(identity, now)
  const session = { accountId, sessionId: randomUUID() }
  const loginSessions = {
    find: delay(store.loginSessions.find),
    open: delay(store.loginSessions.open),
    end: delay(store.loginSessions.end),
  }
  const refreshTokens = {
    find: delay(store.refreshTokens.find),
    rotate: delay(store.refreshTokens.rotate),
    setCrossed: store.refreshTokens.setCrossed,
    revokeFamily: store.refreshTokens.revokeFamily,
  }
  const endLogin = createEndLogin({ loginSessions, endOnHub: () => undefined })
  const tokens = { refreshTokens, loginSessions, endLogin, tools: tokenTools, clock, newId: randomUUID }
  const delayed = createRefreshTokenIssuer(tokens)
  const plain = createRefreshTokenIssuer({
    ...tokens,
    ...store,
    endLogin: (login) => store.loginSessions.end(login.sessionId, login.accountId),
  })
  const first = await plain.open(session)
  const stolen = first.token
  /** Every login for which a signed token was issued. */
  const signed: SignedLogin[] = [first]
  const held = [first.token]
  const keep = (login: (SignedLogin & { token: string }) | null) => {
    if (!login) return
    signed.push(login)
    held.push(login.token)
  }
  const see = delay(store.loginSessions.recordVisit)
  const requestDeletion = delay(store.deletions.request)
  const liveNow = async () => {
    const live = await Promise.all(signed.map((login) => isLive(store.loginSessions, login, now)))
    return signed.filter((_, index) => live[index])
  }
  return {
    session,
    held,
    plain,
    liveNow,
    forward: (ms: number) => {
      now += ms
    },
    steps: {
      visit: () => see(session.sessionId, accountId, now),
      refresh: async () => keep(await delayed.rotate(stolen, origin)),
      logout: () => endLogin(session),
      signIn: async () => keep(await delayed.open(session)),
      deletion: () => requestDeletion(accountId, 'user', { ...times, requestedAt: now }, null),
    },
  }
}

type Step = 'visit' | 'refresh' | 'logout' | 'signIn' | 'deletion'

/** Checks the invariants after all steps. `ended` is true if a step ended the login without a later sign-in. */
async function check({ session, held, plain, liveNow, forward }: Awaited<ReturnType<typeof setUp>>, ended: boolean) {
  const live = await liveNow()
  // No refresh token yields a login that has ended or belongs to an earlier sign-in.
  const rotations = []
  for (const token of held) rotations.push(await plain.rotate(token, origin))
  const refreshed = rotations.filter((rotation) => rotation !== null)
  for (const { accountId, sessionId } of refreshed) expect({ accountId, sessionId }).toEqual(session)
  expect(refreshed.length > 0).toBe(live.length > 0)
  expect(new Set(live.map(({ signedInAt }) => signedInAt)).size).toBeLessThanOrEqual(1)
  if (ended) expect([live, refreshed]).toEqual([[], []])
  forward(1)
}

const steps = fc.uniqueArray(fc.constantFrom<Step>('visit', 'refresh', 'logout', 'signIn', 'deletion'), {
  minLength: 2,
})
const undelayed: Delay = (method) => method

describe.each(backends)('logins in $name', ({ make }) => {
  let backend: StoreBackend
  let store: Store
  beforeAll(async () => {
    backend = await make()
    store = await backend.open()
  })
  afterAll(async () => {
    await store.close()
    await backend.remove()
  })

  test('in any order of the steps of logout, refresh, visit, deletion and sign-in, none revives a login', async () => {
    const pauses = fc.array(fc.nat(4), { minLength: 1, maxLength: 12, size: 'max' })
    await fc.assert(
      fc.asyncProperty(steps, pauses, async (chosen, waits) => {
        let step = 0
        const world = await setUp(store, (method) => async (...args) => {
          await pause(waits[step++ % waits.length])
          return method(...args)
        })
        world.forward(1)
        await Promise.all(chosen.map((what) => world.steps[what]()))
        const ended = chosen.includes('logout') || chosen.includes('deletion')
        await check(world, ended && !chosen.includes('signIn'))
      }),
      { numRuns: sized(40, 60), endOnFailure: true },
    )
  })

  test('the same with all steps at once, in the order of the database', async () => {
    const all: Step[] = ['refresh', 'visit', 'logout', 'refresh', 'visit', 'deletion', 'refresh']
    for (let round = 0; round < sized(7, 20); round += 1) {
      const world = await setUp(store, undelayed)
      world.forward(1)
      const turned = [...all.slice(round % all.length), ...all.slice(0, round % all.length)]
      await Promise.all(turned.map((step) => world.steps[step]()))
      await check(world, true)
    }
  })

  test('a late logout of a session that has no login does not take the tokens of a sign-in at the same time', async () => {
    const world = await setUp(store, undelayed)
    for (let round = 0; round < sized(20, 60); round += 1) {
      await world.steps.logout()
      world.forward(1)
      // Several logouts around the sign-in: the moment between two statements of one is short.
      const logouts = () => Array.from({ length: 1 + (round % 3) }, () => world.steps.logout())
      await Promise.all([...logouts(), world.steps.signIn(), ...logouts()])
      const token = world.held.at(-1) ?? ''
      expect(await world.plain.isKnown(token)).toBe((await world.liveNow()).length > 0)
    }
  })

  test('reuse of a refresh token during a refresh of the thief leaves no valid token', async () => {
    for (let round = 0; round < sized(8, 10); round += 1) {
      const world = await setUp(store, undelayed)
      const [stolen = ''] = world.held
      const thief = await world.plain.rotate(stolen, origin)
      world.forward(REFRESH_GRACE_MS + 1)
      const [reused, later] = await Promise.all([
        world.plain.rotate(stolen, origin),
        world.plain.rotate(thief?.token ?? '', origin),
      ])
      expect(reused).toBeNull()
      expect(await world.liveNow()).toEqual([])
      expect(later && (await world.plain.rotate(later.token, origin))).toBeNull()
    }
  })
})
