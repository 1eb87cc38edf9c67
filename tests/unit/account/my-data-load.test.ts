import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import { createMyDataStore } from '../../../src/account/state/my-data.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'
import { silentLog } from '../../support/silent-log.ts'
import { waitFor } from '../../support/wait-for.ts'

const waiting = { state: 'waiting', requestedAt: 1, startAt: 2, dueAt: 3 } as const

function unread() {
  const world = { isDown: true }
  const clock = fakeClock()
  const api = fakeApi({
    readDeletion: () => {
      if (world.isDown) throw new AppError('http-error')
      return { deletion: waiting, delayDays: 3 }
    },
    deleteData: () => ({ ...waiting, requestedAt: 9 }),
  })
  const myData = createMyDataStore({
    api,
    exportData: () => Promise.reject(new Error('not asked for')),
    save: () => {},
    clock,
    log: silentLog(),
    first: () => null,
  })
  return { world, clock, api, myData }
}

test('a pending deletion that could not be read is read again, and shown', async () => {
  const { world, clock, myData } = unread()
  await myData.load()
  expect([myData.known.value, myData.deletion.value]).toEqual([true, null])
  world.isDown = false
  clock.advance(5_000)
  await waitFor(() => expect(myData.deletion.value).toEqual(waiting))
  expect([myData.delayDays.value, clock.waiting()]).toEqual([3, 0])
})

test('it is not read again after the dashboard was left', async () => {
  const { api, clock, myData } = unread()
  await myData.load()
  myData.forget()
  clock.advance(60_000)
  expect([api.made, clock.waiting(), myData.known.value]).toEqual([['readDeletion'], 0, false])
})
