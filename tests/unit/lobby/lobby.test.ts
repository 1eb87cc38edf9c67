import { describe, expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'
import { startedStores } from '../../support/fakes/member-stores.ts'
import { startOf } from '../../support/fakes/start-of.ts'
import { waitFor } from '../../support/wait-for.ts'

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

const nina = { email: 'nina@example.org', nickName: 'Nina' }

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
    lobby.watchOnline()
    await waitFor(() => expect(api.made).toEqual(['readStart', 'addSession', 'readIp', 'addIp']))
    clock.advance(10_000)
    await waitFor(() => expect(lobby.onlineUsers.value).toBe(3))
  })

  test('a second visit to the dashboard asks', async () => {
    const { api, lobby } = await onFirstDashboard()
    await lobby.enter()
    lobby.leave()
    await lobby.enter()
    expect(api.made.filter((name) => name === 'readBlockStatus')).toHaveLength(1)
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

test('loads the status, and sends the details once a visit', async () => {
  const { api, lobby, visit } = await onDashboard()
  await lobby.enter()
  expect([lobby.loaded.value, lobby.status.value, lobby.standing.value]).toEqual([true, 'Valid', 'open'])
  expect(visit.flags.value.dashboardPageLoaded).toBe(true)
  await waitFor(() => expect(visit.flags.value.loggedIpDetails).toBe(true))
  lobby.leave()
  await lobby.enter()
  expect(api.made.filter((name) => name === 'addSession' || name === 'addIp')).toEqual(['addSession', 'addIp'])
})

test('a dashboard that is left while it loads does not show', async () => {
  const { clock, lobby, toasts } = await onDashboard()
  const entering = lobby.enter()
  lobby.leave()
  await entering
  expect([lobby.loaded.value, clock.waiting(), toasts.failure.value]).toEqual([false, 0, null])
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
  let isAsked = false
  const { lobby, log, toasts } = await onDashboard({
    readBlockStatus() {
      isAsked = true
      return new Promise<never>(() => {})
    },
  })
  const entering = lobby.enter()
  await waitFor(() => expect(isAsked).toBe(true))
  lobby.leave()
  await entering
  expect([lobby.loaded.value, toasts.failure.value, log.errors]).toEqual([false, null, []])
})

describe('a part that fails', () => {
  const refused = () => Promise.reject(new AppError('http-error'))

  test.each(['readBlockStatus', 'readAccessToken'] as const)(
    'the status (%s): says so, and is read again with growing pauses',
    async (name) => {
      let isDown = true
      const { api, clock, lobby, toasts } = await onDashboard({
        [name]: () => (isDown ? refused() : responses[name]()),
      })
      const readings = () => api.made.filter((made) => made === name).length
      await lobby.enter()
      expect([lobby.standing.value, lobby.loaded.value, toasts.failure.value]).toEqual(['unread', false, null])
      for (const [attempts, pauseMs] of [5_000, 10_000, 20_000, 40_000, 60_000, 60_000].entries()) {
        clock.advance(pauseMs - 1)
        expect(readings()).toBe(attempts + 1)
        clock.advance(1)
        await waitFor(() => expect(lobby.reading.value).toBe(false))
        expect(readings()).toBe(attempts + 2)
      }
      isDown = false
      clock.advance(60_000)
      await waitFor(() => expect(lobby.standing.value).toBe('open'))
      expect(toasts.failure.value).toBeNull()
    },
  )

  test('the status is read at once when the user asks for it, and one at a time', async () => {
    let isDown = true
    const { api, clock, lobby } = await onDashboard({
      readBlockStatus: () => (isDown ? refused() : { status: 'Warning' }),
    })
    await lobby.enter()
    isDown = false
    lobby.readAgain()
    lobby.readAgain()
    await waitFor(() => expect(lobby.standing.value).toBe('open'))
    expect(api.made.filter((name) => name === 'readBlockStatus')).toHaveLength(2)
    expect(clock.waiting()).toBe(0)
  })

  test('a later answer about the status ends the repetition', async () => {
    const { clock, lobby, visit } = await onDashboard({ readBlockStatus: refused })
    await lobby.enter()
    lobby.expectBlock()({ status: 'Blocked' })
    expect([lobby.standing.value, lobby.status.value, clock.waiting()]).toEqual(['barred', 'Blocked', 0])
    expect(visit.flags.value.dashboardPageLoaded).toBe(true)
  })

  test('nothing is read again after the dashboard was left', async () => {
    const { clock, lobby } = await onDashboard({ readBlockStatus: refused, addSession: refused })
    await lobby.enter()
    await waitFor(() => expect(clock.waiting()).toBe(2))
    lobby.leave()
    expect([clock.waiting(), lobby.standing.value]).toEqual([0, 'unknown'])
  })

  test.each(['addSession', 'addIp'] as const)('the details (%s) are sent later, in silence', async (name) => {
    let isDown = true
    const { api, clock, lobby, toasts, visit } = await onDashboard({ [name]: () => (isDown ? refused() : valid()) })
    await lobby.enter()
    expect([lobby.loaded.value, toasts.failure.value]).toEqual([true, null])
    await waitFor(() => expect(clock.waiting()).toBe(1))
    isDown = false
    clock.advance(5_000)
    await waitFor(() => expect(visit.flags.value.loggedIpDetails).toBe(true))
    expect(api.made.filter((made) => made === name)).toHaveLength(2)
    expect([toasts.failure.value, clock.waiting()]).toEqual([null, 0])
  })
})

describe('the details of a user who logs out while the lookup runs', () => {
  test('are not sent for nobody, and those of the next user are', async () => {
    const lookup = Promise.withResolvers<ReturnType<typeof responses.readIp>>()
    const lookups = [lookup.promise]
    const { account, api, lobby, visit } = await onDashboard({
      readIp: () => lookups.shift() ?? responses.readIp(),
      logout: valid,
    })
    await lobby.enter()
    await waitFor(() => expect(api.made).toContain('readIp'))
    lobby.leave()
    account.logout()
    await account.start()
    visit.begin('visit-2')
    const before = api.made.length
    account.takeUp({ to: 'dashboard', sessionId: 'visit-2', clockOffsetMs: 0, wantsEntry: false, ...nina, first: {} })
    await lobby.enter()
    lookup.resolve(responses.readIp())
    await waitFor(() => expect(api.made.slice(before)).toContain('addIp'))
    await waitFor(() => expect(visit.flags.value.loggedIpDetails).toBe(true))
    const sent = api.made.slice(before)
    expect(sent.filter((name) => name === 'addSession')).toHaveLength(1)
    expect(sent.filter((name) => name === 'addIp')).toHaveLength(1)
  })
})

test('a missing token shows the error popup', async () => {
  const { lobby, toasts } = await onDashboard({ readRefreshToken: () => ({ cookieValue: '' }) })
  await lobby.enter()
  expect(lobby.loaded.value).toBe(false)
  expect(toasts.failure.value).toEqual({ kind: 'application', code: 'session-incomplete' })
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
    const { lobby, toasts } = await onDashboard({ appeal: () => Promise.reject(new AppError('wrong-state')) })
    await lobby.enter()
    await lobby.appeal()
    expect([lobby.status.value, lobby.appealed.value, lobby.appealing.value]).toEqual(['Valid', false, false])
    expect(toasts.failure.value).not.toBeNull()
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
  const { lobby, log, toasts } = await onDashboard({
    readBlockStatus: () => ({ status: 'Valid', notice: { outcome: 'late', at: 1 } }),
    seeCaseNotice: () => Promise.reject(new AppError('timeout')),
  })
  await lobby.enter()
  lobby.noticeSeen()
  await waitFor(() => expect(log.errors).toHaveLength(1))
  expect(toasts.failure.value).toBeNull()
})
