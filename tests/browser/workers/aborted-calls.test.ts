import { expect, test } from 'vitest'
import { HOUR_MS } from '#protocol/durations.ts'
import { apiOn } from '../../support/browser/api-on.ts'
import { problem } from '../../support/browser/api-room.ts'

const online = 'users/online/get'
const refresh = 'cookie/access-token/refresh'
const valid = { json: { message: 'Valid' } }
const time = { 'server/time/get': [{ json: { timestamp: 1 } }] }
const aborted = { name: 'AppError', code: 'aborted' }

test('a request that nobody waits for any more is ended on its way, and not sent again', async () => {
  const { api, seen } = await apiOn({ [online]: [{ fault: 'never' }], ...time })
  const controller = new AbortController()
  const answer = api.call('readOnlineUsers', undefined, controller.signal)
  await expect.poll(() => seen()).toHaveLength(1)
  controller.abort()
  await expect(answer).rejects.toMatchObject(aborted)
  await expect.poll(() => seen(online)).toMatchObject([{ gaveUp: true }])
  await api.call('readServerTime', undefined)
  expect(await seen(online)).toHaveLength(1)
})

test('the pause before the next attempt ends too', async () => {
  const { api, seen } = await apiOn({ [online]: [problem(503, 'unavailable')], ...time }, { retryDelayMs: HOUR_MS })
  const controller = new AbortController()
  const answer = api.call('readOnlineUsers', undefined, controller.signal)
  await expect.poll(() => seen()).toHaveLength(1)
  controller.abort()
  await expect(answer).rejects.toMatchObject(aborted)
})

test('a call that was given up before it began is not sent', async () => {
  const { api, seen } = await apiOn({ [online]: [{ json: { onlineUsers: 1 } }], ...time })
  await expect(api.call('readOnlineUsers', undefined, AbortSignal.abort())).rejects.toMatchObject(aborted)
  await api.call('readServerTime', undefined)
  expect(await seen(online)).toHaveLength(0)
})

test('one of two calls that wait for the same refresh may go, the other gets its answer', async () => {
  const { api, seen, release } = await apiOn({
    turn: [problem(401, 'login-required')],
    'users/block/get': [problem(401, 'login-required'), { json: { status: 'Valid' } }],
    [refresh]: [{ ...valid, held: true }],
  })
  const controller = new AbortController()
  const gone = api.call('readTurn', undefined, controller.signal)
  const stays = api.call('readBlockStatus', { userEmailAddress: 'ada@example.org' })
  await expect.poll(() => seen(refresh)).toHaveLength(1)
  controller.abort()
  await expect(gone).rejects.toMatchObject(aborted)
  await release()
  await expect(stays).resolves.toEqual({ status: 'Valid' })
  expect(await seen(refresh)).toHaveLength(1)
  expect(await seen('turn')).toHaveLength(1)
})
