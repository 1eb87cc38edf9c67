import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_BASE, REQUESTED_WITH } from '#protocol/constants.ts'
import { parseSessionCookie } from '#protocol/cookies.ts'
import { ACCESS_TOKEN_MS, REFRESH_GRACE_MS } from '../../../server/accounts/rules/tokens.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { newVisitor, sessionOf, startServer, type TestServer, type Visitor } from '../../support/servers/server.ts'
import {
  outcomeOf,
  type StartOutcome,
  startByOneRequest,
  startBySingleRequests,
} from '../../support/servers/single-start.ts'
import { createStartWorld, type StartEnd, type StartWorld, startStates } from '../../support/servers/start-states.ts'

const clock = movableClock()
let server: TestServer
/** A server with other secrets. */
let foreign: TestServer
let world: StartWorld

beforeAll(async () => {
  server = await startServer({}, { clock })
  foreign = await startServer({}, { clock })
  world = createStartWorld(server, foreign, clock)
})
afterAll(async () => {
  await server.stop()
  await foreign.stop()
})

function endOf({ screen, block, deletion }: StartOutcome): StartEnd | undefined {
  if (screen === 'login') return 'login'
  return deletion?.deletion ? 'deletion' : block?.status
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
  test.each(Object.entries(startStates))('%s', async (_, { end, make }) => {
    const makeVisitor = () => make(world)
    const reference = await visited(makeVisitor, startBySingleRequests)
    const one = await visited(makeVisitor, startByOneRequest)
    // Cases, notices and deletions are about the time of their own person.
    expect(withoutTimes(one)).toEqual(withoutTimes(reference))
    expect(endOf(one.outcome)).toBe(end)
  })

  function withoutTimes(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'number' && inner > 1e12 ? 'time' : inner)))
  }

  test('the states are what they are called', async () => {
    const { block } = await startByOneRequest(await world.restored())
    expect(block).toMatchObject({ status: 'Valid', notice: { outcome: 'restored' } })
    const { block: suspended } = await startByOneRequest(await world.withStatus('Appeal'))
    expect(suspended).toMatchObject({ status: 'Appeal', case: { next: 'may-appeal' } })
    const { deletion } = await startByOneRequest(await world.deleting())
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
    ...(await visitor.request('readOnlineUsers', undefined)),
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
  const person = await world.somebody()
  clock.forward(age)
  const tabs = [world.copyOf(person), world.copyOf(person), person]
  const starts = await Promise.all(tabs.map((tab) => tab.request('readStart', undefined)))
  expect(starts.map((start) => outcomeOf(start).screen)).toEqual(['dashboard', 'dashboard', 'dashboard'])
  expect(new Set(tabs.map(({ cookies }) => cookies.get('refresh'))).size).toBe(1)
  clock.forward(REFRESH_GRACE_MS + 1)
  for (const tab of tabs.slice(0, 1)) expect(await startByOneRequest(tab)).toMatchObject({ screen: 'dashboard' })
})

test('a tab that starts while another one refreshes logs nobody out', async () => {
  const person = await world.somebody()
  const other = world.copyOf(person)
  const [start, refreshed] = await Promise.all([
    person.request('readStart', undefined),
    other.send('refreshAccessToken', undefined),
  ])
  expect([outcomeOf(start).screen, refreshed.status]).toEqual(['dashboard', 200])
  expect(person.cookies.get('refresh')).toBe(other.cookies.get('refresh'))
})

test.each([
  ['refresh token', ['refresh']],
  ['access token', ['access', 'profile']],
  ['login session', ['session']],
  ['tokens', ['refresh', 'access', 'profile']],
])('a %s of somebody else signs nobody in, and ends neither login', async (_, taken) => {
  const [ada, bob] = [await world.somebody(), await world.somebody()]
  const mixed = world.copyOf(ada)
  for (const name of taken) mixed.cookies.set(name, bob.cookies.get(name) ?? '')
  expect(await mixed.request('readStart', undefined)).toMatchObject({ isSignedIn: false, profile: null, block: null })
  expect([...mixed.cookies.keys()]).toEqual(['session'])
  for (const person of [ada, bob]) expect(await startByOneRequest(person)).toMatchObject({ screen: 'dashboard' })
})

test('a response that was lost can be asked for again', async () => {
  const person = await world.somebody()
  const lost = world.copyOf(person)
  await lost.request('readStart', undefined)
  clock.forward(REFRESH_GRACE_MS)
  expect(await startByOneRequest(person)).toMatchObject({ screen: 'dashboard' })
  expect(person.cookies.get('refresh')).toBe(lost.cookies.get('refresh'))
})

test('a page of another site cannot have the refresh token replaced', async () => {
  const person = await world.somebody()
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
  const cookies = [...(await world.somebody()).cookies].map((pair) => pair.join('=')).join('; ')
  const headers = { cookie: cookies, [REQUESTED_WITH.name]: REQUESTED_WITH.value }
  expect((await fetch(`${server.origin}${API_BASE}/start/get`, { headers })).status).toBe(200)
})
