import { describe, expect, test, vi } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { EndpointName } from '#protocol/rest.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'
import { startedStores } from '../../support/fakes/member-stores.ts'
import { startOf } from '../../support/fakes/start-of.ts'

const valid = () => ({ message: 'Valid' })
const responses = {
  readStart: () => startOf({ onlineUsers: 7 }),
  readAccessToken: () => ({ cookieValue: 'present' }),
  readRefreshToken: () => ({ cookieValue: 'present' }),
  addSession: valid,
  addIp: valid,
  readIp: () => ({ ip: '127.0.0.1', hostname: 'NA', city: 'NA', country: 'NA', loc: 'NA' }),
  readBlockStatus: () => ({ status: 'Valid' as const }),
  readOnlineUsers: () => ({ onlineUsers: 3 as unknown }),
}

/** Stores of a signed-in user, created when the user enters the dashboard for the first time. */
async function onFirstDashboard(changed: Parameters<typeof fakeApi>[0] = {}) {
  const { to, ...stores } = await startedStores(fakeApi({ ...responses, ...changed }))
  expect(to).toBe('dashboard')
  return stores
}

/** Stores of a signed-in user who has seen what the start has answered. */
async function onDashboard(changed: Parameters<typeof fakeApi>[0] = {}) {
  const given = await onFirstDashboard(changed)
  given.account.takeFirst('lobby')
  return given
}

describe('right after the start', () => {
  const never = () => new Promise<never>(() => {})

  test('the dashboard shows what the start has answered, and waits for no request', async () => {
    const block = { status: 'Warning', case: null, notice: { outcome: 'warned', at: 1 } } as const
    const { api, lobby, visit } = await onFirstDashboard({
      readStart: () => startOf({ block, onlineUsers: 7 }),
      addSession: never,
    })
    void lobby.enter()
    expect([lobby.loaded.value, lobby.status.value, lobby.notice.value]).toEqual([true, 'Warning', block.notice])
    expect([lobby.onlineUsers.value, visit.flags.value.dashboardPageLoaded]).toEqual([7, true])
    expect(api.made).toEqual(['readStart', 'addSession'])
  })

  test('the details are still sent, and the online count is read again', async () => {
    const { api, clock, lobby } = await onFirstDashboard()
    await lobby.enter()
    await vi.waitFor(() => expect(api.made).toEqual(['readStart', 'addSession', 'readIp', 'addIp']))
    clock.advance(10_000)
    await vi.waitFor(() => expect(lobby.onlineUsers.value).toBe(3))
  })

  test('a visit that is refused shows the error popup', async () => {
    const { lobby, notices } = await onFirstDashboard({ addSession: () => Promise.reject(new AppError('http-error')) })
    await lobby.enter()
    await vi.waitFor(() => expect(notices.failure.value?.code).toBe('http-error'))
  })

  test('a second visit to the dashboard asks', async () => {
    const { api, lobby } = await onFirstDashboard()
    await lobby.enter()
    lobby.leave()
    await lobby.enter()
    expect(api.made.filter((name) => name === 'readBlockStatus' || name === 'readOnlineUsers')).toHaveLength(2)
    expect(lobby.onlineUsers.value).toBe(3)
  })

  test('a dashboard that opens a minute later asks', async () => {
    const { api, clock, lobby } = await onFirstDashboard()
    clock.advance(60_000)
    await lobby.enter()
    expect(api.made).toContain('readBlockStatus')
  })

  test('an answer without the status is asked for', async () => {
    const { api, lobby } = await onFirstDashboard({ readStart: () => startOf({ block: null }) })
    await lobby.enter()
    expect([api.made.includes('readBlockStatus'), lobby.loaded.value]).toEqual([true, true])
  })
})

test('shows the dashboard although the IP lookup fails', async () => {
  const { lobby } = await onDashboard({ readIp: () => new Promise(() => {}) })
  await lobby.enter()
  expect(lobby.loaded.value).toBe(true)
})

test('loads all that the dashboard shows, and sends the details once a visit', async () => {
  const { api, lobby, visit } = await onDashboard()
  await lobby.enter()
  lobby.leave()
  await lobby.enter()
  expect(lobby.loaded.value).toBe(true)
  expect(lobby.status.value).toBe('Valid')
  expect(lobby.onlineUsers.value).toBe(3)
  expect(visit.flags.value.dashboardPageLoaded).toBe(true)
  expect(api.made.filter((name) => name === 'addSession' || name === 'addIp')).toEqual(['addSession', 'addIp'])
})

test('the online count is read again until the dashboard is left', async () => {
  const { api, clock, lobby } = await onDashboard()
  const readings = () => api.made.filter((name) => name === 'readOnlineUsers').length
  await lobby.enter()
  for (const times of [2, 3]) {
    await vi.waitFor(() => {
      clock.advance(10_000)
      expect(readings()).toBe(times)
    })
  }
  lobby.leave()
  clock.advance(60_000)
  expect(readings()).toBe(3)
  expect(clock.waiting()).toBe(0)
})

test('a dashboard that is left while it loads neither shows nor polls', async () => {
  const { clock, lobby, notices } = await onDashboard()
  const entering = lobby.enter()
  lobby.leave()
  await entering
  expect([lobby.loaded.value, clock.waiting(), notices.failure.value]).toEqual([false, 0, null])
})

test('the status is requested without an email address: the login session identifies the user', async () => {
  const asked: unknown[] = []
  const { lobby } = await onDashboard({
    readBlockStatus: (input) => {
      asked.push(input)
      return { status: 'Valid' }
    },
  })
  await lobby.enter()
  lobby.leave()
  expect(asked).toEqual([{}])
})

test('leaving the dashboard aborts its requests, without an error', async () => {
  const given: EndpointName[] = []
  const never = (name: EndpointName) => () => {
    given.push(name)
    return new Promise<never>(() => {})
  }
  const { lobby, log, notices } = await onDashboard({
    readBlockStatus: never('readBlockStatus'),
    readOnlineUsers: never('readOnlineUsers'),
  })
  const entering = lobby.enter()
  await vi.waitFor(() => expect(given).toHaveLength(2))
  lobby.leave()
  await entering
  expect([lobby.loaded.value, notices.failure.value, log.errors]).toEqual([false, null, []])
})

test('the online count is read one at a time, and aborted without an error when the dashboard is left', async () => {
  let slow = false
  const { api, clock, lobby, log } = await onDashboard({
    readOnlineUsers: () => (slow ? new Promise<never>(() => {}) : { onlineUsers: 3 }),
  })
  await lobby.enter()
  slow = true
  clock.advance(60_000)
  expect(api.made.filter((name) => name === 'readOnlineUsers')).toHaveLength(2)
  lobby.leave()
  slow = false
  await lobby.enter()
  clock.advance(10_000)
  expect(api.made.filter((name) => name === 'readOnlineUsers')).toHaveLength(4)
  expect(log.errors).toEqual([])
})

test.each(['many', null, undefined])('an online count of %j is shown as 10', async (onlineUsers) => {
  const { lobby } = await onDashboard({ readOnlineUsers: () => ({ onlineUsers }) })
  await lobby.enter()
  expect(lobby.onlineUsers.value).toBe(10)
})

test('a failure of the IP details is not shown', async () => {
  const { lobby, notices } = await onDashboard({ addIp: () => Promise.reject(new AppError('http-error')) })
  await lobby.enter()
  expect(lobby.loaded.value).toBe(true)
  expect(notices.failure.value).toBeNull()
})

test('a missing token shows the error popup', async () => {
  const { lobby, notices } = await onDashboard({ readRefreshToken: () => ({ cookieValue: '' }) })
  await lobby.enter()
  expect(lobby.loaded.value).toBe(false)
  expect(notices.failure.value).toEqual({ kind: 'application', code: 'session-incomplete' })
})

describe('an appeal', () => {
  test('that is accepted puts the case in review', async () => {
    const { lobby } = await onDashboard({
      readBlockStatus: () => ({ status: 'Appeal' }),
      appeal: ({ UserEmailAddress }) => {
        expect(UserEmailAddress).toBe('ada@example.org')
        return { status: 'InReview' }
      },
    })
    await lobby.enter()
    const sent = lobby.appeal()
    expect(lobby.appealing.value).toBe(true)
    await sent
    expect([lobby.status.value, lobby.appealed.value, lobby.appealing.value]).toEqual(['InReview', true, false])
  })

  test('returns the next step', async () => {
    const blockCase = { what: 'reports', rule: 'guidelines', since: 1, until: 2, next: 'under-review' } as const
    const { lobby } = await onDashboard({
      readBlockStatus: () => ({ status: 'Appeal', case: { ...blockCase, next: 'may-appeal' } }),
      appeal: () => ({ status: 'InReview', case: blockCase }),
    })
    await lobby.enter()
    expect(lobby.blockCase.value?.next).toBe('may-appeal')
    await lobby.appeal()
    expect(lobby.blockCase.value).toEqual(blockCase)
  })

  test('that fails leaves the status as it was', async () => {
    const { lobby, notices } = await onDashboard({ appeal: () => Promise.reject(new AppError('wrong-state')) })
    await lobby.enter()
    await lobby.appeal()
    expect([lobby.status.value, lobby.appealed.value, lobby.appealing.value]).toEqual(['Valid', false, false])
    expect(notices.failure.value).not.toBeNull()
  })
})

test('a notice is returned until it is marked as seen', async () => {
  let notice: { outcome: 'restored'; at: number } | null = { outcome: 'restored', at: 1 }
  const { lobby } = await onDashboard({
    readBlockStatus: () => ({ status: 'Valid', case: null, notice }),
    seeCaseNotice: ({ UserEmailAddress }) => {
      expect(UserEmailAddress).toBe('ada@example.org')
      notice = null
      return { message: 'Valid' }
    },
  })
  await lobby.enter()
  expect(lobby.notice.value).toEqual({ outcome: 'restored', at: 1 })
  lobby.noticeSeen()
  expect(lobby.notice.value).not.toBeNull()
  lobby.leave()
  await lobby.enter()
  expect(lobby.notice.value).toBeNull()
})

test('a notice that could not be marked as seen is logged, and returned again', async () => {
  const { lobby, log, notices } = await onDashboard({
    readBlockStatus: () => ({ status: 'Valid', notice: { outcome: 'late', at: 1 } }),
    seeCaseNotice: () => Promise.reject(new AppError('timeout')),
  })
  await lobby.enter()
  lobby.noticeSeen()
  await vi.waitFor(() => expect(log.errors).toHaveLength(1))
  expect(notices.failure.value).toBeNull()
})
