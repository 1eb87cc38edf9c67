import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatProfileCookie } from '#protocol/cookies.ts'
import { movableClock } from '../../../support/movable-clock.ts'
import {
  newVisitor,
  type SignedInVisitor,
  sessionOf,
  signIn,
  startServer,
  type TestServer,
} from '../../../support/servers/server.ts'

let server: TestServer
let ada: SignedInVisitor

beforeAll(async () => {
  server = await startServer({ CLIENT_LOGS: 'Info' })
  ada = await signIn(server, { email: 'Ada@example.org' })
})
afterAll(() => server.stop())

const stoppedClock = { ...movableClock(), now: () => Date.parse('2026-11-21T08:00:00Z') }

const entry = {
  DeviceType: 'Web',
  UserAppRunOn: 'Firefox',
  UserDeviceName: 'desktop',
  UserDeviceOs: 'Linux',
  UserCity: 'Zürich',
  UserCountry: 'CH',
} as const

test('a first visit makes a session that becomes existing with its entry', async () => {
  const visitor = newVisitor(server)
  const first = await visitor.request('readSession', undefined)
  expect(first.cookieValue).toMatch(/^[\w-]+#new$/)
  expect(await visitor.request('readSession', undefined)).toEqual(first)
  const id = first.cookieValue.replace('#new', '')
  expect(await visitor.request('createSession', { UserSessionId: id, ...entry })).toEqual({ message: 'Valid' })
  expect(await visitor.request('readSession', undefined)).toEqual({ cookieValue: `${id}#existing` })
})

test('the cookies are HttpOnly and SameSite=Lax', async () => {
  const response = await newVisitor(server).fetch('/api/user/session/get')
  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^session=[\w.-]+;.*HttpOnly; SameSite=Lax$/)])
})

test('behind https the cookies are Secure and bound to the host', async () => {
  const secure = await startServer({ PUBLIC_ORIGIN: 'https://example.org', DEV_IDENTITY: 'on' })
  const response = await fetch(`http://127.0.0.1:${secure.port}/api/user/session/get`)
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-session=[\w.-]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ])
  expect(response.headers.get('strict-transport-security')).toMatch(/max-age/)
  await secure.stop()
})

test('tokens show as present, never as themselves', async () => {
  for (const name of ['readAccessToken', 'readRefreshToken'] as const)
    expect(await ada.request(name, undefined)).toEqual({ cookieValue: 'present' })
  expect(await ada.request('validateAccessToken', undefined)).toEqual({ message: 'Valid' })
})

test('the profile cookie tells e-mail and nickname once it is set, and Empty once it is deleted', async () => {
  const eve = await signIn(server, { email: 'eve@example.org', nickName: 'Zoë Ångström' })
  const value = formatProfileCookie({ email: eve.email, nickName: 'Zoë Ångström' })
  expect(await eve.request('readProfileCookie', undefined)).toEqual({ cookieValue: value })
  await eve.request('deleteProfileCookie', undefined)
  expect(await eve.request('readProfileCookie', undefined)).toEqual({ cookieValue: 'Empty' })
  await eve.request('setProfileCookie', { CookieValue: value })
  expect(await eve.request('readProfileCookie', undefined)).toEqual({ cookieValue: value })
})

test('the session id cookie can be read, deleted and set again', async () => {
  const eve = await signIn(server, { email: 'eve@example.org' })
  expect(await eve.request('readSessionIdCookie', undefined)).toEqual({ cookieValue: eve.sessionId })
  await eve.request('deleteSessionIdCookie', undefined)
  expect(await eve.request('readSessionIdCookie', undefined)).toEqual({ cookieValue: '' })
  await eve.request('setSessionIdCookie', { CookieValue: `${eve.sessionId}#existing` })
  expect(await eve.request('readSessionIdCookie', undefined)).toEqual({ cookieValue: eve.sessionId })
})

test('session and place are taken', async () => {
  const session = { UserSessionId: ada.sessionId, EmailAddress: ada.email }
  expect(await ada.request('addSession', session)).toEqual({ message: 'Valid' })
  const place = { IpAddress: '192.0.2.1', HostName: 'NA', City: 'NA', Country: 'NA', Coordinates: 'NA' }
  expect(await ada.request('addIp', { UserSessionId: ada.sessionId, ...place })).toEqual({ message: 'Valid' })
})

test('a returning user finds the stored profile', async () => {
  const again = await signIn(server, { email: 'Ada@example.org', profile: false })
  const names = { EmailAddress: ada.email, FirstName: 'Ada', LastName: 'King', SourceName: 'Google' } as const
  expect(await again.request('addOauthUser', names)).toEqual({
    message: 'Valid',
    profile: { nickName: 'Ada', gender: 'girl', dateOfBirth: '1990-12-10' },
  })
  const newcomer = await signIn(server, { email: 'new@example.org', profile: false })
  expect(await newcomer.request('addOauthUser', { ...names, EmailAddress: 'new@example.org' })).toMatchObject({
    profile: null,
  })
})

test('nickname and gender can be changed', async () => {
  const eve = await signIn(server, { email: 'change@example.org' })
  const fields = { EmailAddress: eve.email, DOB: '1990-12-10', ConsentAgreed: 'true' } as const
  await eve.request('addProfile', { ...fields, NickName: 'Eve', Gender: 'others' })
  const names = { EmailAddress: eve.email, FirstName: 'E', LastName: 'NA', SourceName: 'Google' } as const
  expect((await eve.request('addOauthUser', names)).profile).toMatchObject({ nickName: 'Eve', gender: 'others' })
})

test('a new account is Valid, has met nobody and blocked nobody', async () => {
  expect(await ada.request('readBlockStatus', { userEmailAddress: ada.email })).toMatchObject({ status: 'Valid' })
  expect(await ada.request('readBlockList', { userEmailAddress: ada.email })).toEqual([])
  expect(await ada.request('readMatchedIds', { userEmailId: ada.email })).toEqual({ matchedEmailIds: [] })
})

test('people met and blocked are listed by opaque names', async () => {
  const own = await startServer()
  const one = await signIn(own, { email: 'one@example.org' })
  const two = await signIn(own, { email: 'two@example.org' })
  await own.edit(async (store) => {
    const [first, second] = await Promise.all(
      ['one@example.org', 'two@example.org'].map((email) =>
        store.accounts.signIn({ provider: 'Google', subject: email, email, firstName: '', lastName: '' }, 0),
      ),
    )
    if (!first || !second) throw new Error('the accounts are missing')
    await store.relations.recordMet(first.id, second.id, 1)
    await store.relations.block(first.id, second.id, 1)
  })
  for (const person of [one, two]) {
    const blocked = await person.request('readBlockList', { userEmailAddress: person.email })
    const met = await person.request('readMatchedIds', { userEmailId: person.email })
    expect(blocked).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    expect(met).toEqual({ matchedEmailIds: blocked })
  }
  await own.stop()
})

test('the hub token is made for the own session', async () => {
  const answer = await ada.request('readHubToken', { userSessionId: ada.sessionId })
  expect(answer.hubConnectionAccessToken).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
})

test('the online count is the number of people seen', async () => {
  const own = await startServer()
  const visitor = newVisitor(own)
  expect(await visitor.request('readOnlineUsers', undefined)).toEqual({ onlineUsers: 0, talkingUsers: 0 })
  await signIn(own, { email: 'one@example.org' })
  await signIn(own, { email: 'two@example.org' })
  expect(await visitor.request('readOnlineUsers', undefined)).toEqual({ onlineUsers: 2, talkingUsers: 0 })
  await own.stop()
})

test('the server tells its time', async () => {
  const own = await startServer({}, { clock: stoppedClock })
  expect(await newVisitor(own).request('readServerTime', undefined)).toEqual({
    timestamp: stoppedClock.now(),
    time: '2026-11-21T08:00:00.000Z',
  })
  await own.stop()
})

test('log batches are answered with text, and one that comes again is added once', async () => {
  const visitor = newVisitor(server)
  const log = {
    userSessionId: 'New user',
    logMessage: 'hello',
    logLevel: 'Info',
    platform: 'Web',
    dateTime: new Date().toISOString(),
  }
  const send = () =>
    visitor.fetch('/api/logs/add', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'batch-1' },
      body: JSON.stringify([log, log]),
    })
  for (const response of [await send(), await send()]) {
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await response.text()).toBe('Valid')
  }
})

test('logout ends the login and clears every cookie', async () => {
  const eve = await signIn(server, { email: 'eve@example.org' })
  const refresh = eve.cookies.get('refresh') ?? ''
  expect(await eve.request('logout', undefined)).toEqual({ message: 'Valid' })
  expect([...eve.cookies.keys()]).toEqual([])
  eve.cookies.set('refresh', refresh)
  expect((await eve.send('refreshAccessToken', undefined)).status).toBe(401)
})

test('what was stored survives a restart', async () => {
  const own = await startServer()
  const person = await signIn(own, { email: 'one@example.org' })
  const before = await sessionOf(person)
  await own.restart()
  expect(await sessionOf(person)).toBe(before)
  expect(await person.request('validateAccessToken', undefined)).toEqual({ message: 'Valid' })
  expect(await person.request('refreshAccessToken', undefined)).toEqual({ message: 'Valid' })
  expect(await person.request('readProfileCookie', undefined)).toEqual({ cookieValue: 'one%40example.org#Ada#true' })
  await own.stop()
})
