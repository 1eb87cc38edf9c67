import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { SessionEntry } from '#protocol/rest.ts'
import type { DeviceInfo } from '../../../src/account/ports.ts'
import { createDeviceEntry } from '../../../src/account/state/login-session.ts'
import { createVisitStore } from '../../../src/platform/state/visit.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'
import { silentLog } from '../../support/silent-log.ts'

const device: DeviceInfo = {
  os: 'Debian GNU/Linux with a long name',
  browser: '',
  deviceType: 'desktop',
}
const bern = { ip: '192.0.2.7', hostname: 'NA', city: 'Bern', country: 'CH', loc: 'NA' }

/** A first visit whose entry is wanted; `entries` lists what was sent. */
function firstVisit(changed: Parameters<typeof fakeApi>[0] = {}) {
  const entries: SessionEntry[] = []
  const idle: (() => void)[] = []
  const failures: ('forbidden' | 'timeout')[] = []
  const api = fakeApi({
    readIp: () => bern,
    createSession: (entry) => {
      entries.push(entry)
      const failure = failures.shift()
      if (failure) throw new AppError(failure)
      return { message: 'Valid' }
    },
    ...changed,
  })
  const log = silentLog()
  const visit = createVisitStore()
  visit.begin('s1')
  const ports = {
    api,
    log,
    deviceInfo: async () => device,
    beginSession: visit.begin,
    whenIdle: (task: () => void) => void idle.push(task),
  }
  const entry = createDeviceEntry(ports, visit)
  entry.begin(true)
  return {
    api,
    log,
    visit,
    entry,
    entries,
    idle,
    failures,
    runIdle: () => idle.splice(0).forEach((task) => void task()),
  }
}

test('the entry is sent once, when the page is idle', async () => {
  const { api, entry, entries, runIdle } = firstVisit()
  entry.sendWhenIdle()
  entry.sendWhenIdle()
  expect(api.made).toEqual([])
  runIdle()
  await entry.ensure()
  await entry.ensure()
  expect(entries).toEqual([
    {
      UserSessionId: 's1',
      DeviceType: 'Web',
      UserAppRunOn: 'NA',
      UserDeviceName: 'desktop',
      UserDeviceOs: 'Debian GNU/Linux wit',
      UserCity: 'NA',
      UserCountry: 'NA',
    },
  ])
})

test('it has the location if the lookup responds before the sign-in', async () => {
  const { entry, entries, runIdle } = firstVisit()
  entry.sendWhenIdle()
  runIdle()
  await expect.poll(() => entries).toMatchObject([{ UserCity: 'Bern', UserCountry: 'CH' }])
})

test('a lookup that never responds is not waited for at sign-in', async () => {
  const { entry, entries, runIdle } = firstVisit({ readIp: () => new Promise<never>(() => {}) })
  entry.sendWhenIdle()
  runIdle()
  await entry.ensure()
  expect(entries).toMatchObject([{ UserCity: 'NA' }])
})

test('a sign-in before the idle moment sends the entry, and the idle moment no second one', async () => {
  const { entry, entries, runIdle } = firstVisit({ readIp: () => new Promise<never>(() => {}) })
  entry.sendWhenIdle()
  const entered = entry.ensure()
  runIdle()
  await entered
  expect(entries).toHaveLength(1)
})

test('an entry that failed in the background is sent again before the sign-in', async () => {
  const { entry, entries, failures, log, runIdle } = firstVisit()
  failures.push('timeout')
  entry.sendWhenIdle()
  runIdle()
  await expect.poll(() => log.errors).toHaveLength(1)
  await entry.ensure()
  expect(entries).toHaveLength(2)
})

test('an entry that fails twice rejects, and the next sign-in sends it again', async () => {
  const { entry, entries, failures } = firstVisit()
  failures.push('timeout', 'timeout')
  await expect(entry.ensure()).rejects.toMatchObject({ code: 'timeout' })
  await entry.ensure()
  expect(entries).toHaveLength(3)
})

test('a tab whose login session another tab has replaced takes up the new one', async () => {
  const { entry, entries, failures, visit } = firstVisit({ readSession: () => ({ cookieValue: 's2#new' }) })
  failures.push('forbidden')
  await entry.ensure()
  expect(entries.map(({ UserSessionId }) => UserSessionId)).toEqual(['s1', 's2'])
  expect(visit.userSessionId.value).toBe('s2')
})

test('a login session that the other tab has entered needs no second entry', async () => {
  const { entry, entries, failures, visit } = firstVisit({ readSession: () => ({ cookieValue: 's2#existing' }) })
  failures.push('forbidden')
  await entry.ensure()
  expect([entries.length, visit.userSessionId.value]).toEqual([1, 's2'])
})

test('a login session that is known sends nothing', async () => {
  const { api, entry, idle } = firstVisit()
  entry.begin(false)
  entry.sendWhenIdle()
  await entry.ensure()
  expect([idle, api.made]).toEqual([[], []])
})
