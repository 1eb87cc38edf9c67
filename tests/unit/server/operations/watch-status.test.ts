import { expect, test, vi } from 'vitest'
import { MINUTE_MS } from '#protocol/durations.ts'
import { ServiceHealth } from '../../../../server/operations/rules/service-status.ts'
import { watchStatus } from '../../../../server/operations/watch-status.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A watch over a database and a queue that the test plays. */
function watch() {
  const clock = fakeClock()
  const ping = vi.fn<() => Promise<unknown>>(async () => {})
  const world = { waiting: 0 }
  const { read, routine } = watchStatus({
    health: new ServiceHealth(0),
    clock,
    log: { error: vi.fn() },
    database: { ping },
    redis: null,
    shared: null,
    waiting: () => world.waiting,
  })
  async function pass(ms: number, stepMs: number): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      clock.advance(stepMs)
      await settled()
    }
  }
  return { clock, ping, world, read, routine, pass }
}

test('a thousand readers ask the database once in five seconds', async () => {
  const { clock, ping, read } = watch()
  await Promise.all(Array.from({ length: 1_000 }, read))
  expect(ping).toHaveBeenCalledOnce()
  clock.advance(4_999)
  await read()
  expect(ping).toHaveBeenCalledOnce()
  clock.advance(1)
  await read()
  expect(ping).toHaveBeenCalledTimes(2)
})

test('a clock that was set back does not keep the last answer for longer', async () => {
  const { clock, ping, read } = watch()
  await read()
  const now = vi.spyOn(clock, 'now').mockReturnValue(-60_000)
  await read()
  expect(ping).toHaveBeenCalledTimes(2)
  now.mockRestore()
})

test('a database that is silent is down after three seconds, and is asked again', async () => {
  const { clock, ping, read } = watch()
  ping.mockReturnValueOnce(new Promise(() => {}))
  const silent = read()
  clock.advance(3_000)
  expect((await silent).signIn).toEqual({ state: 'down', since: 3_000 })
  clock.advance(2_000)
  expect((await read()).signIn).toEqual({ state: 'works' })
  expect(clock.waiting()).toBe(0)
})

test('without a reader the beginning of a trouble is known, and a crowd after a quiet hour is none', async () => {
  const { world, read, routine, pass, clock } = watch()
  routine.start()
  await pass(60 * MINUTE_MS, 15_000)
  world.waiting = 30
  expect((await read()).matching).toEqual({ state: 'works' })
  await pass(10 * MINUTE_MS, 15_000)
  const { matching } = await read()
  expect(matching.state).toBe('trouble')
  const ago = clock.now() - ('since' in matching ? matching.since : 0)
  expect(ago).toBe(10 * MINUTE_MS - 3 * MINUTE_MS - 15_000)
  await routine.stop()
  expect(clock.waiting()).toBe(0)
})
