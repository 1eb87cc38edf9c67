import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_BASE, REQUESTED_WITH } from '#protocol/constants.ts'
import { parseSessionCookie } from '#protocol/cookies.ts'
import { ACCESS_TOKEN_MS, REFRESH_GRACE_MS, REFRESH_TOKEN_MS } from '../../../server/accounts/rules/tokens.ts'
import { movableClock } from '../../support/movable-clock.ts'
import {
  newVisitor,
  sessionOf,
  signIn,
  startServer,
  type TestServer,
  type Visitor,
} from '../../support/servers/server.ts'
import { outcomeOf, startByOneRequest, startBySingleRequests } from '../../support/servers/single-start.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'

const clock = movableClock()
let server: TestServer
/** A server with other secrets. */
let foreign: TestServer
let people = 0

beforeAll(async () => {
  server = await startServer({}, { clock })
  foreign = await startServer({}, { clock })
})
afterAll(async () => {
  await server.stop()
  await foreign.stop()
})

function somebody(profile = true) {
  people += 1
  return signIn(server, { email: `start${people}@example.org`, profile })
}

function without(visitor: Visitor, ...names: string[]): Visitor {
  for (const name of names) visitor.cookies.delete(name)
  return visitor
}

function copyOf(visitor: Visitor): Visitor {
  const copy = newVisitor(server)
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
  return copy
}

async function withStatus(status: 'Warning' | 'Appeal' | 'InReview' | 'Blocked'): Promise<Visitor> {
  const person = await somebody()
  await server.edit(async (store) => putStatus(store, await accountOf(store, person.email), status))
  return person
}

async function restored(): Promise<Visitor> {
  const person = await somebody()
  await server.edit(async (store) => {
    const account = await accountOf(store, person.email)
    await putStatus(store, account, 'Appeal')
    await putStatus(store, { ...account, status: 'Appeal' }, 'Valid', {}, 'restored')
  })
  return person
}

async function deleting(): Promise<Visitor> {
  const person = await somebody()
  await person.request('deleteData', undefined)
  return signIn(server, { email: person.email })
}

/** A copy of the cookies from before the last refresh, `afterMs` after it. */
async function withUsedToken(afterMs: number): Promise<Visitor> {
  const person = await somebody()
  const copy = copyOf(person)
  await person.request('refreshAccessToken', undefined)
  clock.forward(afterMs)
  return copy
}

async function afterPause(ms: number): Promise<Visitor> {
  const person = await somebody()
  clock.forward(ms)
  return without(person, ...(ms >= ACCESS_TOKEN_MS ? ['access'] : []))
}

/** Each makes a visitor in one state; it is called once for each of the two ways. */
const states: Record<string, () => Visitor | Promise<Visitor>> = {
  'no cookies': () => newVisitor(server),
  'a session cookie alone, not entered': async () => {
    const visitor = newVisitor(server)
    await sessionOf(visitor)
    return visitor
  },
  'a session cookie alone, entered': async () => without(await somebody(), 'access', 'refresh', 'profile'),
  'cookies of a server with another secret': async () => {
    const visitor = newVisitor(server)
    const there = await signIn(foreign, { email: 'there@example.org' })
    for (const [name, value] of there.cookies) visitor.cookies.set(name, value)
    return visitor
  },
  'own session cookie, tokens of a server with another secret': async () => {
    const visitor = await somebody()
    const there = await signIn(foreign, { email: 'there@example.org' })
    for (const name of ['access', 'refresh']) visitor.cookies.set(name, there.cookies.get(name) ?? '')
    return visitor
  },
  'broken cookies': async () => {
    const visitor = await somebody()
    for (const name of ['access', 'refresh', 'profile']) visitor.cookies.set(name, '%E0%A4%A')
    return visitor
  },
  'signed in': () => somebody(),
  'access token removed by the browser, refresh token valid': () => afterPause(ACCESS_TOKEN_MS),
  'access token kept beyond its end': async () => {
    const person = await somebody()
    clock.forward(ACCESS_TOKEN_MS)
    return person
  },
  'refresh token expired': () => afterPause(REFRESH_TOKEN_MS),
  'access token without refresh token': async () => without(await somebody(), 'refresh'),
  'tokens without profile cookie': async () => without(await somebody(), 'profile'),
  'tokens without profile cookie, access token expired': async () =>
    without(await afterPause(ACCESS_TOKEN_MS), 'profile'),
  'tokens without a profile': () => somebody(false),
  'tokens without session cookie': async () => without(await somebody(), 'session'),
  'refresh token revoked': async () => {
    const person = await somebody()
    const copy = copyOf(person)
    await person.request('deleteRefreshToken', undefined)
    return copy
  },
  'logged out in a copy of this browser': async () => {
    const person = await somebody()
    const copy = copyOf(person)
    await person.request('logout', undefined)
    return copy
  },
  'refresh token used, within the grace period': () => withUsedToken(REFRESH_GRACE_MS),
  'refresh token used, after the grace period': () => withUsedToken(REFRESH_GRACE_MS + 1),
  'a warned person': () => withStatus('Warning'),
  'a suspended person': () => withStatus('Appeal'),
  'a person in review': () => withStatus('InReview'),
  'a banned person': () => withStatus('Blocked'),
  'a person whose suspension ended': restored,
  'a person who asked for deletion': deleting,
  'a person who asked for deletion, in a browser that was signed in before': async () => {
    const person = await somebody()
    const copy = copyOf(person)
    await person.request('deleteData', undefined)
    return copy
  },
}

const names = ['session', 'profile', 'access', 'refresh'] as const

/** Starts the visit in the given way. Resolves with its outcome, what became of each cookie, and what they still open. */
async function visited<Outcome>(
  makeVisitor: () => Visitor | Promise<Visitor>,
  start: (visitor: Visitor) => Promise<Outcome>,
) {
  const visitor = await makeVisitor()
  const before = new Map(visitor.cookies)
  // An access token that is signed within the same millisecond is the same text.
  clock.forward(1)
  const outcome = await start(visitor)
  const cookies = names.map((name) => {
    const now = visitor.cookies.get(name)
    return `${name} ${now === undefined ? 'missing' : now === before.get(name) ? 'kept' : 'set'}`
  })
  const opens = [
    (await visitor.send('validateAccessToken', undefined)).status,
    (await visitor.send('readRefreshToken', undefined)).status,
    (await visitor.send('refreshAccessToken', undefined)).status,
  ]
  return { outcome, cookies, opens }
}

describe('the one request ends like the single ones, with the same cookies:', () => {
  test.each(Object.entries(states))('%s', async (_, makeVisitor) => {
    const reference = await visited(makeVisitor, startBySingleRequests)
    const one = await visited(makeVisitor, startByOneRequest)
    // Cases, notices and deletions are about the time of their own person.
    expect(withoutTimes(one)).toEqual(withoutTimes(reference))
  })

  function withoutTimes(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'number' && inner > 1e12 ? 'time' : inner)))
  }

  test('the states are what they are called', async () => {
    const screens = await Promise.all(
      ['no cookies', 'signed in', 'tokens without profile cookie'].map(async (name) => {
        const visitor = await states[name]?.()
        if (!visitor) throw new Error(`no state ${name}`)
        const { session, screen } = await startByOneRequest(visitor)
        return `${session} ${screen}`
      }),
    )
    expect(screens).toEqual(['new login', 'existing dashboard', 'existing login'])
    const { block } = await startByOneRequest(await restored())
    expect(block).toMatchObject({ status: 'Valid', notice: { outcome: 'restored' } })
    const { block: suspended } = await startByOneRequest(await withStatus('Appeal'))
    expect(suspended).toMatchObject({ status: 'Appeal', case: { next: 'may-appeal' } })
    const { deletion } = await startByOneRequest(await deleting())
    expect(deletion).toMatchObject({ deletion: { state: 'waiting' }, delayDays: 3 })
  })
})

test('a visitor gets a session cookie, the time and the online count, and nothing of a person', async () => {
  const visitor = newVisitor(server)
  const start = await visitor.request('readStart', undefined)
  const id = parseSessionCookie(start.session)?.id ?? ''
  expect(start).toEqual({
    timestamp: clock.now(),
    session: `${id}#new`,
    wantsEntry: true,
    profile: null,
    isSignedIn: false,
    block: null,
    deletion: null,
    onlineUsers: (await visitor.request('readOnlineUsers', undefined)).onlineUsers,
  })
  expect([...visitor.cookies.keys()]).toEqual(['session'])
  expect(visitor.cookies.get('session')).toContain(id)
})

test('the entry is wanted until it has been sent', async () => {
  const visitor = newVisitor(server)
  const wanted = async () => (await visitor.request('readStart', undefined)).wantsEntry
  expect(await wanted()).toBe(true)
  expect(await wanted()).toBe(true)
  await visitor.request('createSession', {
    UserSessionId: await sessionOf(visitor),
    DeviceType: 'Web',
    UserAppRunOn: 'x',
    UserDeviceName: 'x',
    UserDeviceOs: 'x',
  })
  expect(await wanted()).toBe(false)
})

test.each([
  ['with a valid access token', 0],
  ['with an expired access token', ACCESS_TOKEN_MS],
])('two tabs that start at once %s are both signed in, and stay it', async (_, age) => {
  const person = await somebody()
  clock.forward(age)
  const tabs = [copyOf(person), copyOf(person), person]
  const starts = await Promise.all(tabs.map((tab) => tab.request('readStart', undefined)))
  expect(starts.map((start) => outcomeOf(start).screen)).toEqual(['dashboard', 'dashboard', 'dashboard'])
  expect(new Set(tabs.map(({ cookies }) => cookies.get('refresh'))).size).toBe(1)
  clock.forward(REFRESH_GRACE_MS + 1)
  for (const tab of tabs.slice(0, 1)) expect(await startByOneRequest(tab)).toMatchObject({ screen: 'dashboard' })
})

test('a tab that starts while another one refreshes logs nobody out', async () => {
  const person = await somebody()
  const other = copyOf(person)
  const [start, refreshed] = await Promise.all([
    person.request('readStart', undefined),
    other.send('refreshAccessToken', undefined),
  ])
  expect([outcomeOf(start).screen, refreshed.status]).toEqual(['dashboard', 200])
  expect(person.cookies.get('refresh')).toBe(other.cookies.get('refresh'))
})

test('a response that was lost can be asked for again', async () => {
  const person = await somebody()
  const lost = copyOf(person)
  await lost.request('readStart', undefined)
  clock.forward(REFRESH_GRACE_MS)
  expect(await startByOneRequest(person)).toMatchObject({ screen: 'dashboard' })
  expect(person.cookies.get('refresh')).toBe(lost.cookies.get('refresh'))
})

test('a page of another site cannot have the refresh token replaced', async () => {
  const person = await somebody()
  const before = new Map(person.cookies)
  const refused = [
    // A link to the URL, which sends the cookies.
    await person.fetch(`${API_BASE}/start/get`, { headers: { [REQUESTED_WITH.name]: '' } }),
    await person.fetch(`${API_BASE}/start/get`, { headers: { origin: 'https://other.example' } }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403])
  expect(person.cookies).toEqual(before)
})

test('a browser sends no Origin with it, and is answered', async () => {
  const cookies = [...(await somebody()).cookies].map((pair) => pair.join('=')).join('; ')
  const headers = { cookie: cookies, [REQUESTED_WITH.name]: REQUESTED_WITH.value }
  expect((await fetch(`${server.origin}${API_BASE}/start/get`, { headers })).status).toBe(200)
})
