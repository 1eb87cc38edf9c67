import { expect, test } from 'vitest'
import { HOUR_MS } from '#protocol/durations.ts'
import { apiOn } from '../../support/browser/api-on.ts'
import { formOf, problem } from '../../support/browser/api-room.ts'
import type { Script } from '../../support/browser/scripted-response.ts'
import { startOf } from '../../support/fakes/start-of.ts'

const valid = { json: { message: 'Valid' } }
const refresh = 'cookie/access-token/refresh'
const online = 'users/online/get'
const email = 'ada@example.org'

test('a valid response is returned', async () => {
  const { api } = await apiOn({ [online]: [{ json: { onlineUsers: 3 } }] })
  await expect(api.request('readOnlineUsers', undefined)).resolves.toEqual({ onlineUsers: 3 })
})

test("the server's code, message, status and field reach the page", async () => {
  const refused = problem(409, 'wrong-state', { detail: 'Nothing to appeal', field: 'UserEmailAddress' })
  const { api } = await apiOn({ 'users/block/appeal': [refused] })
  await expect(api.request('appeal', { UserEmailAddress: email })).rejects.toMatchObject({
    name: 'AppError',
    code: 'wrong-state',
    message: 'Nothing to appeal',
    details: { status: 409, field: 'UserEmailAddress' },
  })
})

test.for<[string, Script[string], string]>([
  ['that is not JSON', [{ text: '{ half', headers: { 'content-type': 'application/json' } }], 'invalid-response'],
  ['of another shape', [{ json: { onlineUser: 3 } }], 'invalid-response'],
  ["that is a stranger's web page", [{ text: '<html>', headers: { 'content-type': 'text/html' } }], 'invalid-response'],
  ['of a failing server without a problem document', [{ status: 500, text: 'oops' }], 'http-error'],
  ['of a gateway', [{ status: 502, text: '<html>' }], 'server-unreachable'],
  ['that breaks off', [{ json: { onlineUsers: 3 }, fault: 'half-way' }], 'network-error'],
  ['that is no HTTP', [{ fault: 'no-http' }], 'network-error'],
])('a response %s rejects', async ([, responses, code]) => {
  const { api } = await apiOn({ [online]: responses })
  await expect(api.request('readOnlineUsers', undefined)).rejects.toMatchObject({ code })
})

test('a request to a server that drops the connection is sent three times, then rejects with a network error', async () => {
  const { api, seen } = await apiOn({ [online]: [{ fault: 'at-once' }] })
  await expect(api.request('readOnlineUsers', undefined)).rejects.toMatchObject({
    code: 'network-error',
    message: 'Network error. Please check your internet connection',
  })
  expect(await seen()).toHaveLength(3)
})

test('a request to a server that never responds is sent three times, then rejects with a timeout', async () => {
  const { api, seen } = await apiOn({ [online]: [{ fault: 'never' }] }, { timeoutMs: 1_000 })
  await expect(api.request('readOnlineUsers', undefined)).rejects.toMatchObject({ code: 'timeout' })
  expect(await seen()).toHaveLength(3)
})

test('a request succeeds if the server recovers in time', async () => {
  const { api } = await apiOn({
    [online]: [problem(503, 'unavailable'), { fault: 'at-once' }, { json: { onlineUsers: 1 } }],
  })
  await expect(api.request('readOnlineUsers', undefined)).resolves.toEqual({ onlineUsers: 1 })
})

test('a request is retried after Retry-After, not after its own pause', async () => {
  const refused = problem(429, 'too-many-requests')
  const comeBack = { ...refused, headers: { ...refused.headers, 'Retry-After': '0' } }
  const { api, seen } = await apiOn({ [online]: [comeBack, { json: { onlineUsers: 1 } }] }, { retryDelayMs: HOUR_MS })
  await expect(api.request('readOnlineUsers', undefined)).resolves.toEqual({ onlineUsers: 1 })
  expect(await seen()).toHaveLength(2)
})

test.for(['3600', new Date(Date.now() + HOUR_MS).toUTCString()])(
  'a request with a long Retry-After (%s) fails at once',
  async (later) => {
    const refused = problem(429, 'too-many-requests')
    const { api, seen } = await apiOn({
      [online]: [{ ...refused, headers: { ...refused.headers, 'Retry-After': later } }],
    })
    await expect(api.request('readOnlineUsers', undefined)).rejects.toMatchObject({ code: 'too-many-requests' })
    expect(await seen()).toHaveLength(1)
  },
)

test('rate-limit headers do not delay the retry of another failure', async () => {
  const refused = problem(503, 'unavailable')
  const limits = { 'X-RateLimit-Reset': '3600', 'Access-Control-Expose-Headers': 'X-RateLimit-Reset' }
  const { api } = await apiOn({
    [online]: [{ ...refused, headers: { ...refused.headers, ...limits } }, { json: { onlineUsers: 1 } }],
  })
  await expect(api.request('readOnlineUsers', undefined)).resolves.toEqual({ onlineUsers: 1 })
})

test.for<Script[string]>([[{ fault: 'at-once' }], [{ fault: 'never' }], [problem(503, 'unavailable')]])(
  'a POST that is neither repeatable nor keyed is sent once (%o)',
  async (responses) => {
    const { api, seen } = await apiOn({ 'logs/add': responses }, { timeoutMs: 2_000 })
    await expect(api.request('addLogs', [])).rejects.toMatchObject({ name: 'AppError' })
    expect(await seen()).toHaveLength(1)
  },
)

test('a repeatable POST is retried with the same body', async () => {
  const { api, seen } = await apiOn({ 'user/session/add': [{ fault: 'at-once' }, valid] })
  await api.request('addSession', { UserSessionId: 's1', EmailAddress: email })
  const [first, second] = await seen()
  expect(second?.body).toBe(first?.body)
})

test('a request that changes data has the header that marks this page, and cookies', async () => {
  const { api, seen } = await apiOn({
    'cookie/logout/user': [{ ...valid, headers: { 'Set-Cookie': 'waggle-test=1; SameSite=Lax' } }],
  })
  await api.request('logout', undefined)
  await api.request('logout', undefined)
  const [, second] = await seen()
  expect(second?.headers).toMatchObject({ 'x-requested-with': 'XMLHttpRequest', cookie: 'waggle-test=1' })
})

test('a 401 about the token of the provider causes no refresh and no second request', async () => {
  const { api, seen } = await apiOn({
    'cookie/access-refresh-token/set': [problem(401, 'provider-refused')],
    [refresh]: [valid],
  })
  const tokens = { userEmailAddress: email, userSessionId: 's1', sourceAccessToken: 'x', platformType: 'Web' } as const
  await expect(api.request('setTokens', { ...tokens, source: 'Google' })).rejects.toMatchObject({
    code: 'provider-refused',
    details: { status: 401 },
  })
  expect(await seen()).toHaveLength(1)
})

test('ten requests that receive a 401 share one refresh and are repeated once each', async () => {
  const { api, seen } = await apiOn({
    'users/block/get': [problem(401, 'login-required'), { json: { status: 'Valid' } }],
    [refresh]: [valid],
  })
  const people = Array.from({ length: 10 }, (_, index) => `user${index}@example.org`)
  const results = await Promise.all(
    people.map((person) => api.request('readBlockStatus', { userEmailAddress: person })),
  )
  expect(results).toEqual(people.map(() => ({ status: 'Valid' })))
  expect(await seen(refresh)).toHaveLength(1)
  expect(await seen('users/block/get')).toHaveLength(20)
})

test('a rejected refresh ends the login session for every request that waits for it', async () => {
  const { api, seen } = await apiOn({
    'users/block/get': [problem(401, 'login-required')],
    turn: [problem(401, 'login-required')],
    [refresh]: [problem(401, 'login-required')],
  })
  const results = await Promise.allSettled([
    api.request('readBlockStatus', { userEmailAddress: email }),
    api.request('readTurn', undefined),
  ])
  expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([
    expect.objectContaining({ code: 'refresh-failed' }),
    expect.objectContaining({ code: 'refresh-failed' }),
  ])
  expect(await seen(refresh)).toHaveLength(1)
})

test('a refresh that fails in transport rejects with its own code, and does not end the login session', async () => {
  const { api } = await apiOn({ turn: [problem(401, 'login-required')], [refresh]: [{ fault: 'at-once' }] })
  await expect(api.request('readTurn', undefined)).rejects.toMatchObject({ code: 'network-error' })
})

test('a second 401 after the refresh is final', async () => {
  const { api, seen } = await apiOn({ turn: [problem(401, 'login-required')], [refresh]: [valid] })
  await expect(api.request('readTurn', undefined)).rejects.toMatchObject({ code: 'login-required' })
  expect(await seen('turn')).toHaveLength(2)
})

test('a request that needs no login session never refreshes', async () => {
  const { api, seen } = await apiOn({ 'user/session/get': [problem(401, 'login-required')], [refresh]: [valid] })
  await expect(api.request('readSession', undefined)).rejects.toMatchObject({ code: 'login-required' })
  expect(await seen(refresh)).toHaveLength(0)
})

test('a GET that replaces the refresh token carries the header of scripts, and any other does not', async () => {
  const { api, seen } = await apiOn({ 'start/get': [{ json: startOf() }], [online]: [{ json: { onlineUsers: 3 } }] })
  await expect(api.request('readStart', undefined)).resolves.toEqual(startOf())
  await api.request('readOnlineUsers', undefined)
  const [[start], [count]] = [await seen('start/get'), await seen(online)]
  expect(start?.headers['x-requested-with']).toBe('XMLHttpRequest')
  expect(count?.headers['x-requested-with']).toBeUndefined()
})

test('a form arrives unchanged', async () => {
  const { api, seen } = await apiOn({ 'user/profile/add': [valid] })
  const picture = new Blob([new Uint8Array([0, 255, 13, 10, 45, 45])], { type: 'image/png' })
  const fields = {
    EmailAddress: email,
    NickName: 'Zoë Ωmega',
    Gender: 'girl',
    DOB: '1990-01-31',
    ConsentAgreed: 'true',
  } as const
  await api.request('addProfile', { ...fields, file: { blob: picture, fileName: 'profile.png' } })
  const [request] = await seen()
  if (!request) throw new Error('nothing arrived')
  const { ProfilePicture: file, ...rest } = Object.fromEntries(await formOf(request))
  expect(rest).toEqual(fields)
  expect(file).toMatchObject({ name: 'profile.png', type: 'image/png' })
  expect(new Uint8Array(await (file as File).arrayBuffer())).toEqual(new Uint8Array(await picture.arrayBuffer()))
})

test('a form may go without its optional file', async () => {
  const { api, seen } = await apiOn({ 'user/profile/add': [valid] })
  await api.request('addProfile', {
    EmailAddress: email,
    NickName: 'Ada',
    Gender: 'girl',
    DOB: '1990-01-31',
    ConsentAgreed: 'true',
  })
  const [request] = await seen()
  if (!request) throw new Error('nothing arrived')
  expect((await formOf(request)).has('ProfilePicture')).toBe(false)
})
