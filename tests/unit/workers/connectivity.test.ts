import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConnectivity } from '#workers/network/connectivity.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

test('the waits of one call have an end together, those of another call begin anew', async () => {
  const network = { onLine: false }
  const connectivity = createConnectivity(network, 10_000)
  const online = connectivity.patience()

  const first = online()
  await vi.advanceTimersByTimeAsync(6_000)
  network.onLine = true
  await vi.advanceTimersByTimeAsync(250)
  await first

  network.onLine = false
  const second = expect(online()).rejects.toMatchObject({ code: 'network-error' })
  await vi.advanceTimersByTimeAsync(4_000)
  await second

  const other = connectivity.patience()()
  await vi.advanceTimersByTimeAsync(9_000)
  network.onLine = true
  await vi.advanceTimersByTimeAsync(250)
  await other
})

test('a network that is there is not waited for, unless nobody waits for the call', async () => {
  const connectivity = createConnectivity({ onLine: true })
  await connectivity.patience()()
  await expect(connectivity.patience(AbortSignal.abort())()).rejects.toMatchObject({ code: 'aborted' })
})

test('who does not wait any more ends the wait', async () => {
  const controller = new AbortController()
  const wait = createConnectivity({ onLine: false }).patience(controller.signal)()
  controller.abort()
  await expect(wait).rejects.toMatchObject({ code: 'aborted' })
})
