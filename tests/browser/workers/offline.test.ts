// Declares the methods of cdp().
import type {} from '@vitest/browser-playwright'
import { afterEach, expect, test } from 'vitest'
import { cdp } from 'vitest/browser'
import type { Workers } from '../../../src/platform/io/workers.ts'
import { apiOn } from '../../support/browser/api-on.ts'
import { problem } from '../../support/browser/api-room.ts'

const online = 'users/online/get'
const three = { json: { onlineUsers: 3 } }

/** Sets `navigator.onLine` in the page and its workers; the test server stays reachable. */
async function network(is: 'away' | 'back'): Promise<void> {
  const state = { offline: is === 'away', latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
  await cdp().send('Network.overrideNetworkState', state)
}

/** Resolves when the worker has started every earlier request: it handles messages in order. */
async function handled(workers: Workers): Promise<void> {
  await workers.network().parseUserAgent('')
}

afterEach(() => network('back'))

test('offline, a request waits instead of using up its attempts', async () => {
  const { api, seen, workers } = await apiOn({ [online]: [three] })
  await network('away')
  const response = api.request('readOnlineUsers', undefined)
  await handled(workers)
  expect(await seen()).toHaveLength(0)
  await network('back')
  await expect(response).resolves.toEqual({ onlineUsers: 3 })
  expect(await seen()).toHaveLength(1)
})

test('a request that stays offline too long rejects with a network error, and is not sent', async () => {
  const { api, seen } = await apiOn({ [online]: [three] }, { offlineWaitMs: 50 })
  await network('away')
  await expect(api.request('readOnlineUsers', undefined)).rejects.toMatchObject({ code: 'network-error' })
  expect(await seen()).toHaveLength(0)
})

test('a request also waits when the browser goes offline between two attempts', async () => {
  const failing = { ...problem(503, 'unavailable'), held: true }
  const { api, seen, release } = await apiOn({ [online]: [failing, three] }, { offlineWaitMs: 50 })
  const response = api.request('readOnlineUsers', undefined)
  await expect.poll(async () => (await seen()).length).toBe(1)
  await network('away')
  await release()
  await expect(response).rejects.toMatchObject({ code: 'network-error' })
  expect(await seen()).toHaveLength(1)
})

test('an aborted request stops waiting for the network', async () => {
  const { api, seen, workers } = await apiOn({ [online]: [three] })
  await network('away')
  const controller = new AbortController()
  const response = api.request('readOnlineUsers', undefined, controller.signal)
  controller.abort()
  await expect(response).rejects.toMatchObject({ code: 'aborted' })
  await handled(workers)
  await network('back')
  await api.request('readOnlineUsers', undefined)
  expect(await seen()).toHaveLength(1)
})
