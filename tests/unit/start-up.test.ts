import { describe, expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { DeviceInfo } from '../../src/domain/ports.ts'
import { startUp } from '../../src/domain/start-up.ts'
import { fakeApi } from '../support/fakes/fake-api.ts'

const device: DeviceInfo = {
  userAgent: 'test',
  os: 'Debian GNU/Linux with a long name',
  browser: '',
  device: 'NA',
  os_version: 'NA',
  browser_version: 'NA',
  deviceType: 'desktop',
  orientation: 'landscape',
}
const here = { deviceInfo: async () => device, now: () => 1_000_000 }
const time = { readServerTime: () => ({ timestamp: 1_000_250 }) }
const valid = () => ({ message: 'Valid' })
const known = {
  ...time,
  readSession: () => ({ cookieValue: 's1#existing' }),
  readProfileCookie: () => ({ cookieValue: 'ada%40example.org#Ada#true' }),
  validateAccessToken: valid,
  refreshAccessToken: valid,
}
const refused = (code: 'refresh-failed' | 'timeout') => () => {
  throw new AppError(code)
}

describe('a new visitor', () => {
  const responses = { ...time, readSession: () => ({ cookieValue: 's1#new' }), createSession: valid }

  test('sends the device to the server and signs in, with NA for an IP address that cannot be looked up', async () => {
    const api = fakeApi({
      ...responses,
      createSession: (entry) => {
        expect(entry).toEqual({
          UserSessionId: 's1',
          DeviceType: 'Web',
          UserAppRunOn: 'NA',
          UserDeviceName: 'desktop',
          UserDeviceOs: 'Debian GNU/Linux wit',
          UserCity: 'NA',
          UserCountry: 'NA',
        })
        return { message: 'Valid' }
      },
    })
    expect(await startUp({ api, ...here })).toEqual({ sessionId: 's1', clockOffsetMs: 250, to: 'login' })
    expect(api.made).toEqual(['readServerTime', 'readSession', 'readIp', 'createSession'])
  })

  test('cannot continue if the request is rejected', async () => {
    const api = fakeApi({ ...responses, createSession: refused('timeout') })
    await expect(startUp({ api, ...here })).rejects.toMatchObject({ code: 'timeout' })
  })
})

describe('a known visitor', () => {
  test('goes to the dashboard with a refreshed token', async () => {
    const api = fakeApi(known)
    expect(await startUp({ api, ...here })).toEqual({
      sessionId: 's1',
      clockOffsetMs: 250,
      to: 'dashboard',
      email: 'ada@example.org',
      nickName: 'Ada',
    })
    expect(api.made.slice(-2)).toEqual(['validateAccessToken', 'refreshAccessToken'])
  })

  test.each([
    ['has no profile', { readProfileCookie: () => ({ cookieValue: 'Empty' }) }],
    ['has a broken profile cookie', { readProfileCookie: () => ({ cookieValue: 'ada@example.org#Ada' }) }],
    ['is signed out', { readProfileCookie: refused('refresh-failed') }],
    ['has an invalid token', { validateAccessToken: () => ({ message: 'Invalid' }) }],
    ['cannot validate', { validateAccessToken: refused('refresh-failed') }],
    ['cannot refresh', { refreshAccessToken: () => ({ message: 'Expired' }) }],
  ])('that %s signs in again', async (_, responses) => {
    expect(await startUp({ api: fakeApi({ ...known, ...responses }), ...here })).toMatchObject({ to: 'login' })
  })

  test('is not signed out by a network failure', async () => {
    const api = fakeApi({ ...known, validateAccessToken: refused('timeout') })
    await expect(startUp({ api, ...here })).rejects.toMatchObject({ code: 'timeout' })
  })
})

test.each(['', 's1', 's1#old', 's1#new#x', '#new', '%E0%A4%A#new'])(
  'the session cookie %j is rejected',
  async (cookieValue) => {
    const api = fakeApi({ ...time, readSession: () => ({ cookieValue }) })
    await expect(startUp({ api, ...here })).rejects.toMatchObject({ code: 'cookie-invalid' })
  },
)

test('without the server time nothing starts', async () => {
  const api = fakeApi({ readServerTime: refused('timeout') })
  await expect(startUp({ api, ...here })).rejects.toMatchObject({ code: 'timeout' })
  expect(api.made).toEqual(['readServerTime'])
})

test.each([
  [{ time: new Date(1_000_500).toISOString() }, 500],
  [{}, 0],
  [{ time: 'tomorrow' }, 0],
])('the clock is set by %j', async (response, clockOffsetMs) => {
  const api = fakeApi({ ...known, readServerTime: () => response })
  expect(await startUp({ api, ...here })).toMatchObject({ clockOffsetMs })
})
