import { expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import { connect, serve, transfer } from '#workers/rpc.ts'
import { followSpans, startTracing } from '#workers/trace.ts'
import { crash } from '../../support/browser/test-workers.ts'
import type { FaultyWorker } from './faulty.worker.ts'

function faulty(onDeath?: () => void) {
  const worker = new Worker(new URL('./faulty.worker.ts', import.meta.url), { type: 'module', name: 'faulty' })
  onTestFinished(() => worker.terminate())
  return { worker, ...connect<FaultyWorker>(worker, onDeath ? { onDeath } : {}) }
}

test('an AppError keeps code, message and details across threads', async () => {
  const thrown = await faulty()
    .remote.refuse()
    .catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(AppError)
  expect(thrown).toMatchObject({
    code: 'too-large',
    message: 'Too much of it',
    details: { field: 'file', status: 413, final: true },
  })
})

test("any other error becomes 'worker-error'", async () => {
  const thrown = await faulty()
    .remote.breakDown()
    .catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(AppError)
  expect(thrown).toMatchObject({ code: 'worker-error', message: 'something inside' })
})

test('an argument or return value that cannot be cloned is a worker error', async () => {
  const { remote } = faulty()
  await expect(remote.echo(() => 1)).rejects.toMatchObject({ code: 'worker-error' })
  await expect(remote.returnFunction()).rejects.toMatchObject({ code: 'worker-error' })
  await expect(remote.echo('still here')).resolves.toBe('still here')
})

test('who follows the spans gets every part of a request, also while tracing is off', async () => {
  const labels: string[] = []
  const unfollow = followSpans(({ track, label }) => void labels.push(`${track}: ${label}`))
  const { remote } = faulty()
  await remote.echo(1)
  unfollow()
  await remote.echo(2)
  expect(labels).toEqual([
    'Workers: echo #1',
    'Workers: queue echo #1',
    'Workers: work echo #1',
    'Workers: reply echo #1',
  ])
})

test('a transferred value is owned by the other side', async () => {
  const bytes = new Uint8Array([1, 2, 3])
  const echoed = await faulty().remote.echo(transfer(bytes, [bytes.buffer]))
  expect(echoed).toEqual(new Uint8Array([1, 2, 3]))
  expect(bytes).toHaveLength(0)
})

test('a remote can be awaited without being taken for a promise', async () => {
  const { remote } = faulty()
  const awaited = await Promise.resolve(remote)
  await expect(awaited.echo(1)).resolves.toBe(1)
})

test('requests in flight and later ones reject when the worker crashes', async () => {
  const died = vi.fn()
  const { worker, remote } = faulty(died)
  await remote.echo('started')
  const hanging = remote.hang()
  crash(worker)
  await expect(hanging).rejects.toMatchObject({ code: 'worker-died' })
  await expect(remote.echo(1)).rejects.toMatchObject({ code: 'worker-died' })
  expect(died).toHaveBeenCalledTimes(1)
})

test('requests reject when the worker cannot be loaded', async () => {
  const worker = new Worker('/no-such-worker.js', { type: 'module' })
  await expect(connect<FaultyWorker>(worker).remote.echo(1)).rejects.toMatchObject({ code: 'worker-died' })
})

test('requests in flight and later ones reject when the connection to a terminated worker is closed', async () => {
  const { worker, remote, close } = faulty()
  await remote.echo('started')
  const hanging = remote.hang()
  worker.terminate()
  close()
  await expect(hanging).rejects.toMatchObject({ code: 'worker-died' })
  await expect(remote.echo(1)).rejects.toMatchObject({ code: 'worker-died' })
})

test('a port works like a worker', async () => {
  const { port1, port2 } = new MessageChannel()
  serve({ double: async (value: number) => 2 * value, hang: () => new Promise(() => {}) }, port1)
  const { remote, close } = connect<{ double(value: number): Promise<number>; hang(): Promise<void> }>(port2)
  await expect(remote.double(21)).resolves.toBe(42)
  const hanging = remote.hang()
  close()
  await expect(hanging).rejects.toMatchObject({ code: 'worker-died' })
})

test('a request that its caller aborts rejects, and the method is aborted', async () => {
  const { remote } = faulty()
  const controller = new AbortController()
  const waiting = remote.waitUntil(controller.signal)
  expect(await remote.aborted()).toBe(0)
  controller.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  expect(await remote.aborted()).toBe(1)
  await expect(remote.waitUntil(controller.signal)).rejects.toMatchObject({ code: 'aborted' })
  expect(await remote.aborted()).toBe(1)
})

test('a signal that outlives its requests keeps no listener of them', async () => {
  const { remote } = faulty()
  const { signal } = new AbortController()
  const added = vi.spyOn(signal, 'addEventListener')
  const removed = vi.spyOn(signal, 'removeEventListener')
  for (let times = 0; times < 100; times += 1) await expect(remote.refuse(signal)).rejects.toThrow()
  expect(removed).toHaveBeenCalledTimes(100)
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, listener]) => listener))
})

test('a request that takes longer than its deadline rejects, and the method is aborted', async () => {
  const worker = new Worker(new URL('./faulty.worker.ts', import.meta.url), { type: 'module', name: 'faulty' })
  onTestFinished(() => worker.terminate())
  const { remote } = connect<FaultyWorker>(worker, { deadlines: { hang: 20, waitUntil: 20 } })
  await expect(remote.hang()).rejects.toMatchObject({ code: 'timeout', details: { worker: true } })
  await expect(remote.waitUntil(new AbortController().signal)).rejects.toMatchObject({ code: 'timeout' })
  expect(await remote.aborted()).toBe(1)
})

test('spans are drawn only while tracing is on; the work lies within its request and has the same id', async () => {
  const stamps = vi.spyOn(console, 'timeStamp')
  onTestFinished(() => stamps.mockRestore())
  const { remote } = faulty()
  await remote.echo(1)
  expect(stamps).not.toHaveBeenCalled()
  startTracing()
  await remote.echo(2)
  const spans = new Map(stamps.mock.calls.map(([label, from, to]: unknown[]) => [label, [Number(from), Number(to)]]))
  expect([...spans.keys()]).toEqual(['echo #2', 'queue echo #2', 'work echo #2', 'reply echo #2'])
  const [start = 0, end = 0] = spans.get('echo #2') ?? []
  const [from = 0, to = 0] = spans.get('work echo #2') ?? []
  // The two threads have separate clocks, which Firefox rounds to milliseconds.
  const slack = 2
  expect(from).toBeGreaterThanOrEqual(start - slack)
  expect(to).toBeLessThanOrEqual(end + slack)
})

test('a method that computes for long before its first wait is a task on its own span', async () => {
  const stamps = vi.spyOn(console, 'timeStamp')
  onTestFinished(() => stamps.mockRestore())
  startTracing()
  const { remote } = faulty()
  await remote.compute(60)
  expect(stamps.mock.calls.map(([label]: unknown[]) => label)).toContain('task compute #1')
})
