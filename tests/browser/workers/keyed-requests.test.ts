import { expect, test } from 'vitest'
import { apiOn } from '../../support/browser/api-on.ts'
import { problem } from '../../support/browser/api-room.ts'
import type { SeenRequest } from '../../support/browser/scripted-response.ts'

const appealPath = 'users/block/appeal'
const appeal = { UserEmailAddress: 'ada@example.org' }
const taken = { json: { status: 'InReview' } }

const keysOf = (requests: SeenRequest[]) => requests.map(({ headers }) => headers['idempotency-key'])

test('all attempts of a request that must not be carried out twice have one key, and the next request another', async () => {
  const { api, seen } = await apiOn({ [appealPath]: [{ fault: 'at-once' }, problem(503, 'unavailable'), taken] })
  await expect(api.request('appeal', appeal)).resolves.toEqual({ status: 'InReview' })
  await api.request('appeal', appeal)
  const [first, second, third, next] = keysOf(await seen())
  expect(first).toMatch(/^[\w-]{36}$/)
  expect([second, third]).toEqual([first, first])
  expect(next).toMatch(/^[\w-]{36}$/)
  expect(next).not.toBe(first)
})

test('the key stays the same when the request is repeated after a refresh', async () => {
  const { api, seen } = await apiOn({
    [appealPath]: [problem(401, 'login-required'), taken],
    'cookie/access-token/refresh': [{ json: { message: 'Valid' } }],
  })
  await api.request('appeal', appeal)
  const [first, second] = keysOf(await seen(appealPath))
  expect(second).toBe(first)
})

test('repeatable and reading requests have no key', async () => {
  const { api, seen } = await apiOn({
    'users/online/get': [{ json: { onlineUsers: 1 } }],
    'user/session/add': [{ json: { message: 'Valid' } }],
  })
  await api.request('readOnlineUsers', undefined)
  await api.request('addSession', { UserSessionId: 's1', EmailAddress: 'ada@example.org' })
  expect(keysOf(await seen())).toEqual([undefined, undefined])
})
