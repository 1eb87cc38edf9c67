import { expect, test } from 'vitest'
import { HOUR_MS } from '#protocol/durations.ts'
import { apiOn } from '../../support/browser/api-on.ts'
import { problem } from '../../support/browser/api-room.ts'

const online = 'users/online/get'
const refresh = 'cookie/access-token/refresh'
const valid = { json: { message: 'Valid' } }
const time = { 'server/time/get': [{ json: { timestamp: 1 } }] }
const aborted = { name: 'AppError', code: 'aborted' }

test('a request that is aborted in flight is cancelled, and not sent again', async () => {
  const { api, seen } = await apiOn({ [online]: [{ fault: 'never' }], ...time })
  const controller = new AbortController()
  const response = api.request('readOnlineUsers', undefined, controller.signal)
  await expect.poll(() => seen()).toHaveLength(1)
  controller.abort()
  await expect(response).rejects.toMatchObject(aborted)
  await expect.poll(() => seen(online)).toMatchObject([{ gaveUp: true }])
  await api.request('readServerTime', undefined)
  expect(await seen(online)).toHaveLength(1)
})

test('aborting also ends the pause before the next attempt', async () => {
  const { api, seen } = await apiOn({ [online]: [problem(503, 'unavailable')], ...time }, { retryDelayMs: HOUR_MS })
  const controller = new AbortController()
  const response = api.request('readOnlineUsers', undefined, controller.signal)
  await expect.poll(() => seen()).toHaveLength(1)
  controller.abort()
  await expect(response).rejects.toMatchObject(aborted)
})

test('a request that is aborted before it begins is not sent', async () => {
  const { api, seen } = await apiOn({ [online]: [{ json: { onlineUsers: 1 } }], ...time })
  await expect(api.request('readOnlineUsers', undefined, AbortSignal.abort())).rejects.toMatchObject(aborted)
  await api.request('readServerTime', undefined)
  expect(await seen(online)).toHaveLength(0)
})

test('of two requests that wait for the same refresh one is aborted, and the other succeeds', async () => {
  const { api, seen, release } = await apiOn({
    turn: [problem(401, 'login-required')],
    'users/block/get': [problem(401, 'login-required'), { json: { status: 'Valid' } }],
    [refresh]: [{ ...valid, held: true }],
  })
  const controller = new AbortController()
  const gone = api.request('readTurn', undefined, controller.signal)
  const stays = api.request('readBlockStatus', { userEmailAddress: 'ada@example.org' })
  await expect.poll(() => seen(refresh)).toHaveLength(1)
  controller.abort()
  await expect(gone).rejects.toMatchObject(aborted)
  await release()
  await expect(stays).resolves.toEqual({ status: 'Valid' })
  expect(await seen(refresh)).toHaveLength(1)
  expect(await seen('turn')).toHaveLength(1)
})
