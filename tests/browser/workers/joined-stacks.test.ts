import { expect, onTestFinished, test, vi } from 'vitest'
import type { AppError } from '#protocol/errors.ts'
import { SLOW_REQUEST_MS } from '#workers/joined-stacks.ts'
import { connect, serve } from '#workers/rpc.ts'
import type { FaultyWorker } from './faulty.worker.ts'

function faulty(): FaultyWorker {
  const worker = new Worker(new URL('./faulty.worker.ts', import.meta.url), { type: 'module', name: 'faulty' })
  onTestFinished(() => worker.terminate())
  return connect<FaultyWorker>(worker).remote
}

/** Returns the stack of the error with which `request` rejects. */
async function stackOf(request: Promise<unknown>): Promise<string> {
  const thrown = await request.then(
    () => null,
    (error: AppError) => error,
  )
  return thrown?.stack ?? ''
}

/** Begins to record what is written to the console as a warning, and sets the clock of timers by hand. */
function watchWarnings() {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
    warn.mockRestore()
  })
  return warn
}

test("an error of a worker shows the worker's stack, the request, and then the caller's stack", async () => {
  const remote = faulty()
  async function askOfTheTest(): Promise<void> {
    await remote.breakDown()
  }
  const stack = await stackOf(askOfTheTest())
  const places = ['something inside', 'faulty.worker', 'breakDown #1', 'askOfTheTest'].map((part) =>
    stack.indexOf(part),
  )
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((one, other) => one - other))
})

test('an error that passes two threads shows both requests', async () => {
  const [near, far] = [new MessageChannel(), new MessageChannel()]
  const thrower = {
    throwOfTheTest: async (): Promise<void> => {
      throw new TypeError('far away')
    },
  }
  serve(thrower, far.port1)
  const { remote: second, close: closeSecond } = connect<typeof thrower>(far.port2)
  serve({ pass: () => second.throwOfTheTest() }, near.port1)
  const { remote: first, close: closeFirst } = connect<{ pass(): Promise<void> }>(near.port2)
  onTestFinished(() => {
    closeFirst()
    closeSecond()
  })
  const stack = await stackOf(first.pass())
  expect(stack).toMatch(/far away[\s\S]*throwOfTheTest[\s\S]*request throwOfTheTest #1[\s\S]*request pass #1/)
})

test("a slow request is named with its caller's stack, once and while it runs", async () => {
  const remote = faulty()
  await remote.echo('started')
  const warn = watchWarnings()
  function hangOfTheTest(): void {
    void remote.hang()
  }
  hangOfTheTest()
  vi.advanceTimersByTime(SLOW_REQUEST_MS - 1)
  expect(warn).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^slow request hang #2[\s\S]*hangOfTheTest/))
})

test('a request that has ended in time is not named, whether it resolved or rejected', async () => {
  const remote = faulty()
  const warn = watchWarnings()
  await remote.echo(1)
  await expect(remote.breakDown()).rejects.toThrow()
  vi.advanceTimersByTime(10 * SLOW_REQUEST_MS)
  expect(warn).not.toHaveBeenCalled()
})
