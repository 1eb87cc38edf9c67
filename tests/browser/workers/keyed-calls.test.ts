import { expect, test } from 'vitest'
import { apiOn } from '../../support/browser/api-on.ts'
import { problem } from '../../support/browser/api-room.ts'
import type { SeenRequest } from './scripted-answer.ts'

const appealPath = 'users/block/appeal'
const appeal = { UserEmailAddress: 'ada@example.org' }
const taken = { json: { status: 'InReview' } }

const keysOf = (requests: SeenRequest[]) => requests.map(({ headers }) => headers['idempotency-key'])

test('all attempts of a call that must not be carried out twice carry one key, and the next call another', async () => {
  const { api, seen } = await apiOn({ [appealPath]: [{ fault: 'at-once' }, problem(503, 'unavailable'), taken] })
  await expect(api.call('appeal', appeal)).resolves.toEqual({ status: 'InReview' })
  await api.call('appeal', appeal)
  const [first, second, third, next] = keysOf(await seen())
  expect(first).toMatch(/^[\w-]{36}$/)
  expect([second, third]).toEqual([first, first])
  expect(next).toMatch(/^[\w-]{36}$/)
  expect(next).not.toBe(first)
})

test('the key stays the same when the call is sent once more with a fresh login', async () => {
  const { api, seen } = await apiOn({
    [appealPath]: [problem(401, 'login-required'), taken],
    'cookie/access-token/refresh': [{ json: { message: 'Valid' } }],
  })
  await api.call('appeal', appeal)
  const [first, second] = keysOf(await seen(appealPath))
  expect(second).toBe(first)
})

test('what does no harm twice, and what is only read, carries none', async () => {
  const { api, seen } = await apiOn({
    'users/online/get': [{ json: { onlineUsers: 1 } }],
    'user/session/add': [{ json: { message: 'Valid' } }],
  })
  await api.call('readOnlineUsers', undefined)
  await api.call('addSession', { UserSessionId: 's1', EmailAddress: 'ada@example.org' })
  expect(keysOf(await seen())).toEqual([undefined, undefined])
})
