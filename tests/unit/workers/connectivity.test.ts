import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConnectivity } from '#workers/network/connectivity.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

test('the waits of one request share a time limit, and another request has its own', async () => {
  const network = { onLine: false }
  const connectivity = createConnectivity(network, 10_000)
  const untilOnline = connectivity.createWait()

  const first = untilOnline()
  await vi.advanceTimersByTimeAsync(6_000)
  network.onLine = true
  await vi.advanceTimersByTimeAsync(250)
  await first

  network.onLine = false
  const second = expect(untilOnline()).rejects.toMatchObject({ code: 'network-error' })
  await vi.advanceTimersByTimeAsync(4_000)
  await second

  const other = connectivity.createWait()()
  await vi.advanceTimersByTimeAsync(9_000)
  network.onLine = true
  await vi.advanceTimersByTimeAsync(250)
  await other
})

test('online, a request does not wait, and an aborted one rejects', async () => {
  const connectivity = createConnectivity({ onLine: true })
  await connectivity.createWait()()
  await expect(connectivity.createWait(AbortSignal.abort())()).rejects.toMatchObject({ code: 'aborted' })
})

test('the wait ends when the request is aborted', async () => {
  const controller = new AbortController()
  const wait = createConnectivity({ onLine: false }).createWait(controller.signal)()
  controller.abort()
  await expect(wait).rejects.toMatchObject({ code: 'aborted' })
})
