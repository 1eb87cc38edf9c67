import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRoutine } from '../../../workers/curtain/routine.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Looks that take `ms` and see what `seen` says, null without a frame. */
function startRoutine(seen: (id: number) => boolean | null = () => false, ms = 10) {
  const looked: string[] = []
  const start = performance.now()
  const routine = createRoutine(async (id) => {
    looked.push(`${id} at ${performance.now() - start}`)
    await new Promise((resolve) => setTimeout(resolve, ms))
    const flagged = seen(id)
    return flagged === null ? null : { flagged, score: Number(flagged), state: null }
  })
  return { ...routine, looked }
}

const peer = { id: 1, of: 'peer', inMs: 0, everyMs: 1_000 } as const
const own = { id: 2, of: 'own', inMs: 500, everyMs: 2_000 } as const

test('two tracks are looked at, each at its times, as long as nothing is flagged', async () => {
  const { keepLooking, looked } = startRoutine()
  const ended = keepLooking([peer, own], 3_000)
  await vi.advanceTimersByTimeAsync(3_100)
  expect(looked).toEqual(['1 at 0', '2 at 500', '1 at 1000', '1 at 2000', '2 at 2500', '1 at 3000'])
  const looks = await ended
  expect(looks[1]).toEqual({ index: 1, startedMs: 500, endedMs: 510, flagged: false, state: null })
  expect([looks.length, vi.getTimerCount()]).toEqual([6, 0])
})

test('the rest after a look is as long as the look', async () => {
  const { keepLooking, looked } = startRoutine(() => false, 800)
  const ended = keepLooking([peer], 3_000)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(looked).toEqual(['1 at 0', '1 at 1600'])
  expect(await ended).toHaveLength(2)
})

test.each([true, null])('a look that sees %s ends it at once', async (seen) => {
  const { keepLooking, looked } = startRoutine((id) => (id === 2 ? seen : false))
  const ended = keepLooking([peer, own], 5_000)
  await vi.advanceTimersByTimeAsync(600)
  expect((await ended).at(-1)).toMatchObject({ index: 1, flagged: seen })
  expect([looked.length, vi.getTimerCount()]).toEqual([2, 0])
})

test('an interruption ends it in a pause and after a look, and the next routine runs', async () => {
  const { keepLooking, interrupt, looked } = startRoutine()
  const ended = keepLooking([peer], 5_000)
  await vi.advanceTimersByTimeAsync(200)
  await interrupt()
  expect([(await ended).length, vi.getTimerCount()]).toEqual([1, 0])
  const next = keepLooking([peer], 5_000)
  await vi.advanceTimersByTimeAsync(5)
  await interrupt()
  await vi.advanceTimersByTimeAsync(10)
  expect([(await next).length, looked.length, vi.getTimerCount()]).toEqual([1, 2, 0])
})
