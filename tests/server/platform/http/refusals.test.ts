import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FRAME_LIMIT } from '#protocol/constants.ts'
import { MINUTE_MS } from '#protocol/durations.ts'
import { problemSchema } from '#protocol/problem.ts'
import { type EndpointName, endpoints } from '#protocol/rest.ts'
import { movableClock } from '../../../support/movable-clock.ts'
import { jpegOfBytes, pretendingJpeg } from '../../../support/pictures/jpegs.ts'
import { bmp, ico, jpeg, png, pretendingPng } from '../../../support/pictures/pictures.ts'
import {
  newVisitor,
  type SignedInVisitor,
  signIn,
  startServer,
  type TestServer,
} from '../../../support/servers/server.ts'
import { accountOf, putStatus } from '../../../support/stores/put-status.ts'

const clock = movableClock()
let server: TestServer
let ada: SignedInVisitor

beforeAll(async () => {
  // Its clock stands, so that limits of a minute hold however long their requests take.
  server = await startServer({ ALLOWED_ORIGINS: 'https://app.example.org', CLIENT_LOGS: 'Info' }, { clock })
  ada = await signIn(server, { email: 'ada@example.org' })
})
afterAll(() => server.stop())

/** Requests so far count no more for the limits of a minute; logins stay valid for a quarter of an hour. */
const nextMinute = () => clock.forward(MINUTE_MS)

async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  const problem = v.parse(problemSchema, await response.json())
  expect(problem.status).toBe(response.status)
  return problem
}

const json = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const names = Object.keys(endpoints) as EndpointName[]
const withLogin = names.filter((name) => endpoints[name].login)
const changing = names.filter((name) => endpoints[name].method !== 'GET')

test.each(withLogin)('%s needs a login', async (name) => {
  const { method, path } = endpoints[name]
  const problem = await problemOf(await newVisitor(server).fetch(`/api/${path}`, { method }))
  expect(problem).toMatchObject({ status: 401, code: 'login-required' })
})

test.each(changing)('%s needs an allowed Origin and the header', async (name) => {
  const { method, path } = endpoints[name]
  for (const headers of [
    { origin: 'https://evil.example.org' },
    { origin: 'null' },
    { origin: '' },
    { 'x-requested-with': 'curl' },
  ]) {
    const problem = await problemOf(await ada.fetch(`/api/${path}`, { method, headers }))
    expect(problem).toMatchObject({ status: 403, code: 'origin-refused' })
  }
})

test('another origin that is allowed may call, cookies included, and no other', async () => {
  nextMinute()
  const origin = 'https://app.example.org'
  const response = await ada.fetch('/api/cookie/user-profile/delete', { method: 'DELETE', headers: { origin } })
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  expect(response.headers.get('access-control-allow-credentials')).toBe('true')
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-requested-with' }
  for (const path of ['/api/logs/add', '/chathub/negotiate']) {
    const preflight = await fetch(new URL(path, server.origin), { method: 'OPTIONS', headers: { ...asked, origin } })
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
    const refused = await fetch(new URL(path, server.origin), {
      method: 'OPTIONS',
      headers: { ...asked, origin: 'https://evil.example.org' },
    })
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('an unknown call is 404, and a token cannot be handed in', async () => {
  for (const path of ['nothing', 'user/refresh-token/set', 'cookie/refresh-token/set'])
    expect(await problemOf(await ada.fetch(`/api/${path}`, json({ CookieValue: 'x' })))).toMatchObject({
      status: 404,
      code: 'not-found',
    })
})

const place = { IpAddress: 'NA', HostName: 'NA', City: 'NA', Country: 'NA', Coordinates: 'NA' }
const entry = { DeviceType: 'Web', UserAppRunOn: 'x', UserDeviceName: 'x', UserDeviceOs: 'x' }
const tokens = {
  userEmailAddress: 'ada@example.org',
  userSessionId: 's',
  sourceAccessToken: 't',
  platformType: 'Web',
  source: 'Google',
}
const oauth = { EmailAddress: 'ada@example.org', FirstName: 'A', LastName: 'L', SourceName: 'Google' }

test.each([
  ['user/session/create', { ...entry, UserSessionId: 'a b' }, 'UserSessionId'],
  ['user/session/create', { ...entry, UserSessionId: 's', UserDeviceOs: 'x'.repeat(21) }, 'UserDeviceOs'],
  ['user/session/add', { UserSessionId: 's', EmailAddress: 'nobody' }, 'EmailAddress'],
  ['cookie/access-refresh-token/set', { ...tokens, userEmailAddress: 'NA' }, 'userEmailAddress'],
  ['cookie/access-refresh-token/set', { ...tokens, userEmailAddress: undefined }, 'userEmailAddress'],
  ['cookie/access-refresh-token/set', { ...tokens, source: 'Myspace' }, 'source'],
  ['cookie/access-refresh-token/set', { ...tokens, sourceAccessToken: '' }, 'sourceAccessToken'],
  ['cookie/access-refresh-token/set', { ...tokens, platformType: 'iOS' }, 'platformType'],
  ['user/oauth/add', { ...oauth, FirstName: '' }, 'FirstName'],
  ['cookie/user-profile/set', { CookieValue: '' }, 'CookieValue'],
  ['cookie/user-profile/set', { CookieValue: 'ada@example.org#Ada' }, 'CookieValue'],
  ['cookie/user-session-id/set', {}, 'CookieValue'],
  ['users/block/appeal', { UserEmailAddress: 7 }, 'UserEmailAddress'],
  ['user/ip/add', { ...place, UserSessionId: 's', City: 'x'.repeat(101) }, 'City'],
  ['logs/add', [{ userSessionId: 's' }], '0.logMessage'],
])('%s names the field that is wrong', async (path, body, field) => {
  expect(await problemOf(await ada.fetch(`/api/${path}`, json(body)))).toMatchObject({
    status: 400,
    code: 'bad-request',
    field,
  })
})

test('a hub token needs its session in the query', async () => {
  expect(await problemOf(await ada.fetch('/api/auth/hub-access-token/get'))).toMatchObject({
    status: 400,
    field: 'userSessionId',
  })
})

test.each([
  ['users/block/get', 'userEmailAddress'],
  ['user/block/list', 'userEmailAddress'],
  ['user/matched-email-ids/get', 'userEmailId'],
])('%s needs no address: the login says whose data it is', async (path, field) => {
  const without = await ada.fetch(`/api/${path}`)
  const given = await ada.fetch(`/api/${path}?${field}=ADA%40example.org`)
  expect([without.status, given.status]).toEqual([200, 200])
  expect(await without.json()).toEqual(await given.json())
  for (const query of [`${field}=`, `${field}=NA`, `${field}=ada%40example.org&${field}=ada%40example.org`])
    expect(await problemOf(await ada.fetch(`/api/${path}?${query}`))).toMatchObject({ status: 400, field })
})

test('a body that is no JSON, or no object, is 400', async () => {
  nextMinute()
  for (const body of ['{', '', '[]', '"text"', '{"__proto__": {"x": 1}}']) {
    const init = { ...json(null), body }
    expect(await problemOf(await ada.fetch('/api/users/block/appeal', init))).toMatchObject({ status: 400 })
  }
})

test.each([
  ['user/session/add', { UserSessionId: 's', EmailAddress: 'ada@example.org' }, 'UserSessionId'],
  ['user/session/create', { ...entry, UserSessionId: 's' }, 'UserSessionId'],
  ['user/ip/add', { ...place, UserSessionId: 's' }, 'UserSessionId'],
  ['cookie/user-session-id/set', { CookieValue: 's' }, 'CookieValue'],
  ['cookie/user-profile/set', { CookieValue: 'bob%40example.org#Bob#true' }, 'CookieValue'],
  ['users/block/appeal', { UserEmailAddress: 'bob@example.org' }, 'UserEmailAddress'],
  ['user/oauth/add', { ...oauth, EmailAddress: 'bob@example.org' }, 'EmailAddress'],
  ['user/oauth/add', { ...oauth, SourceName: 'Facebook' }, 'SourceName'],
  ['cookie/access-refresh-token/set', tokens, 'userSessionId'],
])('%s refuses what is not the own', async (path, body, field) => {
  expect(await problemOf(await ada.fetch(`/api/${path}`, json(body)))).toMatchObject({
    status: 403,
    code: 'forbidden',
    field,
  })
})

test.each([
  'auth/hub-access-token/get?userSessionId=s',
  'users/block/get?userEmailAddress=bob@example.org',
  'user/block/list?userEmailAddress=bob@example.org',
  'user/matched-email-ids/get?userEmailId=bob@example.org',
])('%s is 403', async (path) => {
  expect(await problemOf(await ada.fetch(`/api/${path}`))).toMatchObject({ status: 403, code: 'forbidden' })
})

test('frames and profiles of somebody else are refused', async () => {
  const file = { blob: await jpeg(), fileName: 'frame.jpg' }
  const bob = await signIn(server, { email: 'bob@example.org' })
  const other = { EmailAddress: 'ada@example.org', UserSessionId: bob.sessionId, file }
  expect(await problemOf(await bob.send('addVideoFrame', other))).toMatchObject({ status: 403, field: 'EmailAddress' })
  const session = { EmailAddress: bob.email, UserSessionId: 's', file }
  expect(await problemOf(await bob.send('addReportedFrame', session))).toMatchObject({ field: 'UserSessionId' })
  const profile = { EmailAddress: 'ada@example.org', NickName: 'B', Gender: 'boy', DOB: '1990-01-01' } as const
  expect(await problemOf(await bob.send('addProfile', { ...profile, ConsentAgreed: 'true' }))).toMatchObject({
    status: 403,
    field: 'EmailAddress',
  })
})

test('an appeal is for suspended accounts alone, once', async () => {
  const own = await startServer()
  const bob = await signIn(own, { email: 'bob@example.org' })
  const appeal = { UserEmailAddress: bob.email }
  expect(await problemOf(await bob.send('appeal', appeal))).toMatchObject({ status: 409, code: 'wrong-state' })
  await own.edit(async (store) => {
    await putStatus(store, await accountOf(store, bob.email), 'Appeal')
  })
  expect(await problemOf(await bob.send('readHubToken', { userSessionId: bob.sessionId }))).toMatchObject({
    status: 403,
    code: 'blocked',
  })
  expect(await bob.request('appeal', appeal)).toMatchObject({ status: 'InReview' })
  expect(await bob.request('readBlockStatus', { userEmailAddress: bob.email })).toMatchObject({ status: 'InReview' })
  expect(await problemOf(await bob.send('appeal', appeal))).toMatchObject({ status: 409 })
  await own.stop()
})

test('without a profile there is no hub token', async () => {
  nextMinute()
  const bob = await signIn(server, { email: 'noprofile@example.org', profile: false })
  expect(await problemOf(await bob.send('readHubToken', { userSessionId: bob.sessionId }))).toMatchObject({
    status: 409,
  })
  const early = { CookieValue: 'noprofile%40example.org#Bob#true' }
  expect(await problemOf(await bob.send('setProfileCookie', early))).toMatchObject({ status: 409 })
})

const profile = { NickName: 'Bob', Gender: 'boy', DOB: '1990-01-01', ConsentAgreed: 'true' } as const

test.each([
  [{ NickName: 'B0b' }, 'NickName'],
  [{ NickName: 'x'.repeat(31) }, 'NickName'],
  [{ Gender: 'other' }, 'Gender'],
  [{ DOB: '1990-02-30' }, 'DOB'],
  [{ DOB: '2200-01-01' }, 'DOB'],
  [{ ConsentAgreed: 'yes' }, 'ConsentAgreed'],
])('a profile with %o is refused at its field', async (wrong, field) => {
  const bob = await signIn(server, { email: `${field.toLowerCase()}@example.org`, profile: false })
  const form = new FormData()
  for (const [name, value] of Object.entries({ EmailAddress: bob.email, ...profile, ...wrong })) form.set(name, value)
  const response = await bob.fetch('/api/user/profile/add', { method: 'POST', body: form })
  expect(await problemOf(response)).toMatchObject({ status: 400, code: 'bad-request', field })
})

test('a minor is refused and blocked for good', async () => {
  const minor = await signIn(server, { email: 'minor@example.org', profile: false })
  const fields = { ...profile, EmailAddress: minor.email }
  const day = new Date().toISOString().slice(0, 10)
  expect(await problemOf(await minor.send('addProfile', { ...fields, DOB: day }))).toMatchObject({
    status: 403,
    code: 'underage',
    field: 'DOB',
  })
  const status = { userEmailAddress: minor.email }
  expect(await minor.request('readBlockStatus', status)).toMatchObject({ status: 'Blocked' })
  await minor.request('addProfile', fields)
  expect(await minor.request('readBlockStatus', status)).toMatchObject({ status: 'Blocked' })
  expect((await minor.send('readHubToken', { userSessionId: minor.sessionId })).status).toBe(403)
})

test('the date of birth stays as it was', async () => {
  const bob = await signIn(server, { email: 'birth@example.org' })
  const fields = { ...profile, EmailAddress: bob.email, DOB: '1991-01-01' }
  expect(await problemOf(await bob.send('addProfile', fields))).toMatchObject({ status: 409, field: 'DOB' })
})

test('the profile picture is one that can be read, whatever it is called', async () => {
  const bob = await signIn(server, { email: 'picture@example.org' })
  const send = (blob: Blob) =>
    bob.send('addProfile', {
      ...profile,
      DOB: '1990-12-10',
      EmailAddress: bob.email,
      file: { blob, fileName: 'profile.jpg' },
    })
  for (const picture of [await jpeg(), await png(), bmp(), await ico()]) expect((await send(picture)).status).toBe(200)
  const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/jpeg' })
  expect(await problemOf(await send(svg))).toMatchObject({ status: 415, field: 'ProfilePicture' })
  const broken = new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])])
  expect(await problemOf(await send(broken))).toMatchObject({ status: 400, field: 'ProfilePicture' })
  const huge = new Blob([new Uint8Array(5 * 1024 * 1024 + 1)])
  expect(await problemOf(await send(huge))).toMatchObject({ status: 413, code: 'too-large' })
})

test('a picture that claims to be huge is refused by what it claims, before anything of it is decoded', async () => {
  const bob = await signIn(server, { email: 'bomb@example.org' })
  // Headers alone: whoever went on to decode would find nothing and say something else.
  const bombs = [
    pretendingPng({ width: 30_000, height: 30_000 }),
    await pretendingJpeg({ width: 16_000, height: 16_000 }),
  ]
  for (const bomb of bombs) {
    const file = { blob: new Blob([new Uint8Array(bomb)]), fileName: 'profile.png' }
    const sent = await bob.send('addProfile', { ...profile, DOB: '1990-12-10', EmailAddress: bob.email, file })
    expect(await problemOf(sent)).toMatchObject({
      status: 400,
      field: 'ProfilePicture',
      detail: expect.stringContaining('pixels'),
    })
  }
})

test('a frame is a JPEG of a sane size', async () => {
  const send = async (email: string, blob: Blob) => {
    const person = await signIn(server, { email })
    const owner = { EmailAddress: email, UserSessionId: person.sessionId }
    return problemOf(await person.send('addVideoFrame', { ...owner, file: { blob, fileName: 'frame.jpg' } }))
  }
  expect(await send('a@example.org', await png())).toMatchObject({ status: 415, field: 'VideoFrame' })
  const broken = new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])])
  expect(await send('b@example.org', broken)).toMatchObject({ status: 400, field: 'VideoFrame' })
  const pretender = new Blob([new Uint8Array(await pretendingJpeg({ width: 16_000, height: 16_000 }))])
  expect(await send('c@example.org', pretender)).toMatchObject({
    status: 400,
    field: 'VideoFrame',
    detail: expect.stringContaining('pixels'),
  })
  const tooLarge = new Blob([new Uint8Array(await jpegOfBytes(FRAME_LIMIT + 1))])
  expect(await send('d@example.org', tooLarge)).toMatchObject({ status: 413, code: 'too-large' })
  expect(await send('f@example.org', new Blob([]))).toMatchObject({ status: 415, field: 'VideoFrame' })
  const person = await signIn(server, { email: 'e@example.org' })
  const form = new FormData()
  form.set('EmailAddress', person.email)
  form.set('UserSessionId', person.sessionId)
  const without = await person.fetch('/api/user/video-frame/add', { method: 'POST', body: form })
  expect(await problemOf(without)).toMatchObject({ status: 400, field: 'VideoFrame' })
})

test('a body that is too large is 413', async () => {
  nextMinute()
  const long = json({ UserEmailAddress: 'x'.repeat(256 * 1024) })
  expect(await problemOf(await ada.fetch('/api/users/block/appeal', long))).toMatchObject({ code: 'too-large' })
  const logs = json([{ logMessage: 'x'.repeat(512 * 1024) }])
  expect(await problemOf(await ada.fetch('/api/logs/add', logs))).toMatchObject({ code: 'too-large' })
})

test('more than 1,000 log entries are refused', async () => {
  const entries = Array.from({ length: 1001 }, () => ({
    userSessionId: 's',
    logMessage: '',
    logLevel: 'Info',
    platform: 'Web',
    dateTime: '2026-01-01T00:00:00Z',
  }))
  expect(await problemOf(await ada.fetch('/api/logs/add', json(entries)))).toMatchObject({ status: 400 })
})

test('any other type of body is 415', async () => {
  const sent = [
    ['users/block/appeal', 'text/plain'],
    ['users/block/appeal', 'application/x-www-form-urlencoded'],
    ['users/block/appeal', 'application/xml'],
    ['logs/add', 'text/plain'],
    ['user/profile/add', 'application/json'],
    ['cookie/logout/user', 'text/plain'],
  ] as const
  for (const [path, type] of sent) {
    const init = { method: 'POST', headers: { 'content-type': type }, body: '{}' }
    expect(await problemOf(await ada.fetch(`/api/${path}`, init))).toMatchObject({ status: 415, code: 'wrong-type' })
  }
  const form = await ada.fetch('/api/users/block/appeal', { method: 'POST', body: new FormData() })
  expect(await problemOf(form)).toMatchObject({ status: 415 })
})

test('one frame of a kind in 8 s', async () => {
  const person = await signIn(server, { email: 'frames@example.org' })
  const file = { blob: await jpeg(), fileName: 'frame.jpg' }
  const frame = { EmailAddress: person.email, UserSessionId: person.sessionId, file }
  expect((await person.send('addVideoFrame', frame)).status).toBe(200)
  const second = await person.send('addVideoFrame', frame)
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await problemOf(second)).toMatchObject({ status: 429, code: 'too-many-requests' })
  expect((await person.send('addReportedFrame', frame)).status).toBe(200)
})

test('300 endpoints a minute for one person, counted apart from another', async () => {
  nextMinute()
  const one = await signIn(server, { email: 'one@example.org' })
  const two = await signIn(server, { email: 'two@example.org' })
  const statuses = new Set<number>()
  for (let call = 0; call < 301; call++) statuses.add((await one.send('readServerTime', undefined)).status)
  expect(statuses).toEqual(new Set([200, 429]))
  expect((await two.send('readServerTime', undefined)).status).toBe(200)
})

test('60 refreshes and 60 log batches a minute', async () => {
  nextMinute()
  const visitor = newVisitor(server)
  for (const name of ['refreshAccessToken', 'addLogs'] as const) {
    const send = () => (name === 'addLogs' ? visitor.send(name, []) : visitor.send(name, undefined))
    for (let call = 0; call < 60; call++) expect((await send()).status).toBe(name === 'addLogs' ? 200 : 401)
    expect((await send()).status).toBe(429)
  }
})

test('a fault of our own tells nothing', async () => {
  const response = await newVisitor(server).fetch('/api/%E0%A4%A')
  expect(await problemOf(response)).toMatchObject({ status: 400 })
})
