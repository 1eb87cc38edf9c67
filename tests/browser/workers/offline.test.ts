// Tells what cdp() can do.
import type {} from '@vitest/browser-playwright'
import { afterEach, expect, test } from 'vitest'
import { cdp } from 'vitest/browser'
import type { Workers } from '../../../src/transport/workers.ts'
import { apiOn } from '../../support/browser/api-on.ts'
import { problem } from '../../support/browser/api-room.ts'

const online = 'users/online/get'
const three = { json: { onlineUsers: 3 } }

/** What the browser says of its network, to the page and to its workers; the test server can be reached all the same. */
async function network(is: 'away' | 'back'): Promise<void> {
  const state = { offline: is === 'away', latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
  await cdp().send('Network.overrideNetworkState', state)
}

/** What was asked of the worker before is in work now: it takes its orders in turn. */
async function heard(workers: Workers): Promise<void> {
  await workers.network().parseUserAgent('')
}

afterEach(() => network('back'))

test('without a network a call waits for it instead of burning its attempts', async () => {
  const { api, seen, workers } = await apiOn({ [online]: [three] })
  await network('away')
  const answer = api.call('readOnlineUsers', undefined)
  await heard(workers)
  expect(await seen()).toHaveLength(0)
  await network('back')
  await expect(answer).resolves.toEqual({ onlineUsers: 3 })
  expect(await seen()).toHaveLength(1)
})

test('a network that does not come back is a network error in the end, and nothing was sent', async () => {
  const { api, seen } = await apiOn({ [online]: [three] }, { offlineWaitMs: 50 })
  await network('away')
  await expect(api.call('readOnlineUsers', undefined)).rejects.toMatchObject({ code: 'network-error' })
  expect(await seen()).toHaveLength(0)
})

test('a network that goes away between two attempts is waited for too', async () => {
  const failing = { ...problem(503, 'unavailable'), held: true }
  const { api, seen, release } = await apiOn({ [online]: [failing, three] }, { offlineWaitMs: 50 })
  const answer = api.call('readOnlineUsers', undefined)
  await expect.poll(async () => (await seen()).length).toBe(1)
  await network('away')
  await release()
  await expect(answer).rejects.toMatchObject({ code: 'network-error' })
  expect(await seen()).toHaveLength(1)
})

test('who does not wait any more does not wait for the network either', async () => {
  const { api, seen, workers } = await apiOn({ [online]: [three] })
  await network('away')
  const controller = new AbortController()
  const answer = api.call('readOnlineUsers', undefined, controller.signal)
  controller.abort()
  await expect(answer).rejects.toMatchObject({ code: 'aborted' })
  await heard(workers)
  await network('back')
  await api.call('readOnlineUsers', undefined)
  expect(await seen()).toHaveLength(1)
})
