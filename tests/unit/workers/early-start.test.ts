import { expect, it, vi } from 'vitest'
import type { NetworkWorker } from '../../../workers/network/contract.ts'
import { withEarlyStart } from '../../../workers/network/early-start.ts'

const SERVER_AHEAD_MS = 5_000

/** A network worker whose requests wait for `gate`, with a clock that the test moves. */
function workerWith(gate: Promise<void> = Promise.resolve()) {
  let time = 1_000_000
  const request = vi.fn(async (name: string) => {
    await gate
    return name === 'readStart' ? { timestamp: time + SERVER_AHEAD_MS, session: 's' } : 'another answer'
  })
  const worker = withEarlyStart({ request } as unknown as NetworkWorker, () => time)
  return { worker, request, now: () => time, pass: (ms: number) => (time += ms) }
}

/** Resolves when the answer, which is there, has been noted. */
const arrived = () => new Promise<void>((resolve) => setImmediate(resolve))

it('sends the request of the start at once, and gives its answer to the first who asks', async () => {
  const { worker, request } = workerWith()
  expect(request.mock.calls).toEqual([['readStart', undefined]])
  expect(await worker.request('readStart', undefined)).toMatchObject({ session: 's' })
  expect(request).toHaveBeenCalledTimes(1)
  await worker.request('readStart', undefined)
  expect(request).toHaveBeenCalledTimes(2)
})

it('moves the time of the server on by how long the answer has waited', async () => {
  const { worker, now, pass } = workerWith()
  await arrived()
  pass(3_000)
  const { timestamp } = await worker.request('readStart', undefined)
  expect(timestamp - now()).toBe(SERVER_AHEAD_MS)
})

it('asks again when the answer is older than a minute, or the clock went back', async () => {
  for (const ms of [61_000, -1]) {
    const { worker, request, pass } = workerWith()
    await arrived()
    pass(ms)
    await worker.request('readStart', undefined)
    expect(request).toHaveBeenCalledTimes(2)
  }
})

it('waits for an answer that is on its way', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { worker, request } = workerWith(promise)
  const answer = worker.request('readStart', undefined)
  resolve()
  expect(await answer).toMatchObject({ session: 's' })
  expect(request).toHaveBeenCalledTimes(1)
})

it('tells a failure to the first who asks, and tries again for the second', async () => {
  const request = vi.fn().mockRejectedValueOnce(new Error('no server')).mockResolvedValueOnce({ timestamp: 1 })
  const worker = withEarlyStart({ request } as unknown as NetworkWorker, () => 0)
  await expect(worker.request('readStart', undefined)).rejects.toThrow('no server')
  expect(await worker.request('readStart', undefined)).toEqual({ timestamp: 1 })
})

it('passes all other requests on', async () => {
  const { worker, request } = workerWith()
  const { signal } = new AbortController()
  expect(await worker.request('readOnlineUsers', undefined, signal)).toBe('another answer')
  expect(request).toHaveBeenLastCalledWith('readOnlineUsers', undefined, signal)
})
