import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import { createOnlineCount } from '../../../src/lobby/state/online-count.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'
import { silentLog } from '../../support/silent-log.ts'
import { waitFor } from '../../support/wait-for.ts'

type Counts = { onlineUsers: unknown; talkingUsers?: number }
type Answer = () => Counts | Promise<Counts>

function withAnswer(first: Answer = () => ({ onlineUsers: 3 })) {
  const world = { answer: first }
  const clock = fakeClock()
  const log = silentLog()
  const api = fakeApi({ readOnlineUsers: () => world.answer() })
  const online = createOnlineCount({ api, clock, log })
  /** Lets ten seconds pass, and what was asked be answered. Returns the number of requests so far. */
  async function beat(): Promise<number> {
    clock.advance(10_000)
    await new Promise((resolve) => setImmediate(resolve))
    return api.made.length
  }
  return { world, clock, log, api, online, beat }
}

const never = () => new Promise<never>(() => {})
const refused = () => Promise.reject(new AppError('http-error'))

test('is read at once and every 10 s, until the dashboard is left', async () => {
  const { api, clock, online, beat } = withAnswer()
  const stop = online.watch()
  await waitFor(() => expect(online.count.value).toBe(3))
  expect([await beat(), await beat()]).toEqual([2, 3])
  stop()
  expect([await beat(), clock.waiting(), api.made.length]).toEqual([3, 0, 3])
})

test('that was just shown is read 10 s later', async () => {
  const { api, online, beat } = withAnswer()
  online.show({ onlineUsers: 7 })
  online.watch()
  expect([online.count.value, api.made.length]).toEqual([7, 0])
  expect([await beat(), online.count.value]).toEqual([1, 3])
})

test('that the response to another request tells every 10 s is not read, and read again once that tells nothing', async () => {
  const { clock, api, online, beat } = withAnswer()
  online.show({ onlineUsers: 7 })
  const stop = online.watch()
  // A picture is sent at the same time as a count would be read, and its response comes later.
  expect(await beat()).toBe(1)
  for (const users of [8, 9]) {
    clock.advance(200)
    online.tell({ onlineUsers: users, talkingUsers: 2 })
    clock.advance(9_800)
    await new Promise((resolve) => setImmediate(resolve))
    expect([online.count.value, online.talking.value, api.made.length]).toEqual([users, 2, 1])
  }
  expect([await beat(), online.count.value]).toEqual([2, 3])
  // What was told in an earlier stay on the dashboard counts no more.
  online.tell({ onlineUsers: 9 })
  stop()
  online.watch()
  expect(await beat()).toBe(3)
})

test('comes with the users in calls, of which a server of an earlier version tells nothing', async () => {
  const { world, online, beat } = withAnswer(() => ({ onlineUsers: 3, talkingUsers: 2 }))
  online.show({ onlineUsers: 7, talkingUsers: 4 })
  expect(online.talking.value).toBe(4)
  online.watch()
  await beat()
  expect([online.count.value, online.talking.value]).toEqual([3, 2])
  world.answer = () => ({ onlineUsers: 5 })
  await beat()
  expect([online.count.value, online.talking.value]).toEqual([5, null])
})

test('is read one at a time, and aborted without an error when the dashboard is left', async () => {
  const { log, online, beat } = withAnswer(never)
  const stop = online.watch()
  expect([await beat(), await beat()]).toEqual([1, 1])
  stop()
  online.watch()
  expect(await beat()).toBe(2)
  expect([log.errors, online.unread.value]).toEqual([[], false])
})

test.each(['many', null, undefined])('an answer of %j is shown as 10', async (onlineUsers) => {
  const { online } = withAnswer(() => ({ onlineUsers }))
  online.watch()
  await waitFor(() => expect(online.count.value).toBe(10))
})

test('a failure is told, and read again with growing pauses until it is known', async () => {
  const { world, online, beat } = withAnswer(refused)
  online.watch()
  await waitFor(() => expect(online.unread.value).toBe(true))
  expect([online.isKnown.value, online.count.value]).toEqual([false, null])
  const requests: number[] = []
  for (let beats = 0; beats < 12; beats += 1) requests.push(await beat())
  // After 10, 20, 40 and 60 s.
  expect(requests).toEqual([2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4])
  world.answer = () => ({ onlineUsers: 5 })
  expect(await beat()).toBe(5)
  expect([online.isKnown.value, online.count.value, online.unread.value]).toEqual([true, 5, false])
  expect(await beat()).toBe(6)
})
