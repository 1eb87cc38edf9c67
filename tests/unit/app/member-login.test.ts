import { describe, expect, test } from 'vitest'
import { LOGIN_CHECK_MS } from '#protocol/constants.ts'
import type { PendingDeletion } from '#protocol/deletion.ts'
import { AppError } from '#protocol/errors.ts'
import type { Start } from '#protocol/start.ts'
import { createMyDataStore } from '../../../src/account/state/my-data.ts'
import { createMemberLogin } from '../../../src/app/member-login.ts'
import type { CallEvent } from '../../../src/call/rules/call-state.ts'
import { createCallStore } from '../../../src/call/state/call.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'
import { startedStores } from '../../support/fakes/member-stores.ts'
import { firstVisit, startOf } from '../../support/fakes/start-of.ts'
import { waitFor } from '../../support/wait-for.ts'

const matchId = 'match-1'
const found: CallEvent = { type: 'match-found', matchId, role: 'Callee', peerConnectionId: 'peer-1', at: 0 }
const waiting: PendingDeletion = { state: 'waiting', requestedAt: 1, startAt: 2, dueAt: 3 }
const valid = () => ({ message: 'Valid' })

/** A signed-in user whose dashboard is open. `answers` are those of the later starts, in order; then Valid ones follow. */
async function onDashboard(...answers: (Start | Promise<Start>)[]) {
  const responses = [startOf(), ...answers]
  const api = fakeApi({
    readStart: () => responses.shift() ?? startOf(),
    readDeletion: () => ({ deletion: null, delayDays: 3 }),
    readOnlineUsers: () => ({ onlineUsers: 3 }),
    addSession: valid,
    addIp: valid,
    keepData: valid,
    logout: valid,
    readIp: () => ({ ip: 'NA', hostname: 'NA', city: 'NA', country: 'NA', loc: 'NA' }),
    appeal: () => ({ status: 'InReview' }),
  })
  const { clock, log, visit, account, lobby } = await startedStores(api)
  const myData = createMyDataStore({
    api,
    exportData: () => Promise.reject(new Error('not asked for')),
    save: () => {},
    clock,
    log,
    first: () => account.takeFirst('deletion'),
  })
  const call = createCallStore({
    run: () => {},
    waits: { matchTimeoutMs: 20_000, nextWaitSeconds: 10, understoodWaitSeconds: 10 },
    ignored: () => {},
  })
  const led: string[] = []
  let awake = true
  const login = createMemberLogin(
    { api, clock, log, navigation: { go: (path) => void led.push(path) }, isAwake: () => awake },
    { account, visit, lobby, myData, call },
  )
  await lobby.enter()
  await myData.load()
  login.entered('/dashboard')
  /** Number of validations so far. */
  const checks = () => api.made.filter((name) => name === 'readStart').length - 1
  return {
    api,
    clock,
    log,
    visit,
    account,
    lobby,
    myData,
    call,
    login,
    /** Paths that the user was led to. */
    led,
    checks,
    wake(to: boolean): void {
      awake = to
      login.wake()
    },
    /** Lets five minutes pass, and the answer arrive. */
    async validate(): Promise<void> {
      const before = checks()
      clock.advance(LOGIN_CHECK_MS)
      expect(checks()).toBe(before + 1)
      await waitFor(() => expect(clock.waiting()).toBe(1))
    },
    search(): void {
      lobby.leave()
      login.entered('/buzzing')
      call.dispatch({ type: 'started' })
      call.dispatch({ type: 'ready' })
    },
  }
}

const later = (changed: Partial<Start> = {}) => startOf({ timestamp: 1, ...changed })

describe('the login is validated', () => {
  test('every five minutes by one request, and a valid one changes nothing', async () => {
    const { clock, checks, validate, led, log } = await onDashboard()
    clock.advance(LOGIN_CHECK_MS - 1)
    expect(checks()).toBe(0)
    clock.advance(1)
    expect(checks()).toBe(1)
    await waitFor(() => expect(clock.waiting()).toBe(1))
    await validate()
    expect([checks(), led, log.errors]).toEqual([2, [], []])
  })

  test('not again while a validation is on its way', async () => {
    const { clock, checks, login } = await onDashboard(new Promise<Start>(() => {}))
    clock.advance(3 * LOGIN_CHECK_MS)
    login.wake()
    expect(checks()).toBe(1)
  })

  test('not while nobody sees the page or it is offline, and at once when it is awake again', async () => {
    const { clock, checks, wake } = await onDashboard()
    wake(false)
    clock.advance(10 * LOGIN_CHECK_MS)
    expect(checks()).toBe(0)
    wake(true)
    expect(checks()).toBe(1)
  })

  test('not by an awakening within the five minutes', async () => {
    const { clock, checks, wake } = await onDashboard()
    clock.advance(LOGIN_CHECK_MS - 1)
    wake(false)
    wake(true)
    expect(checks()).toBe(0)
  })

  test('not on a screen without a login, and at once on the way back to the dashboard', async () => {
    const { clock, checks, login } = await onDashboard()
    login.entered('/about')
    clock.advance(10 * LOGIN_CHECK_MS)
    login.wake()
    expect(checks()).toBe(0)
    login.entered('/dashboard')
    expect(checks()).toBe(1)
  })

  test('by the start of a visit as well', async () => {
    const { clock, checks, login } = await onDashboard()
    clock.advance(LOGIN_CHECK_MS - 1)
    login.entered('/')
    login.entered('/dashboard')
    clock.advance(LOGIN_CHECK_MS - 1)
    expect(checks()).toBe(0)
    clock.advance(1)
    expect(checks()).toBe(1)
  })

  test('never after a logout', async () => {
    const { account, clock, checks, lobby, login } = await onDashboard()
    account.logout()
    lobby.leave()
    login.entered('/')
    login.entered('/login')
    expect(clock.waiting()).toBe(0)
    clock.advance(10 * LOGIN_CHECK_MS)
    login.wake()
    expect(checks()).toBe(0)
  })

  test('in time after the clock of the device was set back', async () => {
    const { clock, checks } = await onDashboard()
    const { now } = clock
    clock.now = () => now() - 10 * LOGIN_CHECK_MS
    clock.advance(2 * LOGIN_CHECK_MS)
    expect(checks()).toBe(1)
  })
})

describe('a match is not disturbed', () => {
  test('by a validation, which waits for its end', async () => {
    const { call, clock, checks, login, search } = await onDashboard()
    search()
    call.dispatch(found)
    clock.advance(LOGIN_CHECK_MS)
    call.dispatch({ type: 'video-arrived', matchId })
    login.entered('/chat')
    clock.advance(10 * LOGIN_CHECK_MS)
    login.wake()
    expect([checks(), call.phase.value]).toEqual([0, 'in-call'])
    call.dispatch({ type: 'match-terminated', matchId })
    expect([checks(), call.phase.value]).toEqual([1, 'searching'])
  })

  test('by the answer to one that was on its way', async () => {
    const answer = Promise.withResolvers<Start>()
    const { call, clock, checks, led, search, visit } = await onDashboard(answer.promise)
    search()
    clock.advance(LOGIN_CHECK_MS)
    expect(checks()).toBe(1)
    call.dispatch(found)
    answer.resolve({ ...firstVisit(), session: 'visit-2#new' })
    await waitFor(() => expect(clock.waiting()).toBe(1))
    expect([led, call.phase.value, visit.userSessionId.value]).toEqual([[], 'connecting', 'visit-1'])
    call.dispatch({ type: 'match-terminated', matchId })
    expect(checks()).toBe(2)
  })
})

describe('the answer', () => {
  test.each([
    ['a login that has ended', startOf({ isSignedIn: false, block: null, deletion: null }), 'visit-1'],
    ['a profile that is not confirmed', startOf({ isSignedIn: false, profile: 'Empty' }), 'visit-1'],
    ['a browser without its cookies', { ...firstVisit(), session: 'visit-2#new' }, 'visit-2'],
  ])('%s leads to the sign-in page without a message', async (_, answer, session) => {
    const { clock, led, visit, log } = await onDashboard(answer)
    clock.advance(LOGIN_CHECK_MS)
    await waitFor(() => expect(led).toEqual(['/login']))
    expect([visit.userSessionId.value, visit.flags.value.splashScreenPageLoaded]).toEqual([session, true])
    expect(log.errors).toEqual([])
  })

  test('another user of this browser starts the visit again', async () => {
    const { account, led, validate } = await onDashboard(startOf({ profile: 'bob%40example.org#Bob#true' }))
    await validate()
    expect([led, account.email.value]).toEqual([['/'], 'ada@example.org'])
  })

  test('a login session that another tab has replaced is taken up, and its name', async () => {
    const changed = { session: 'visit-2#existing', profile: 'ada%40example.org#Ida#true' }
    const { account, led, validate, visit } = await onDashboard(startOf(changed))
    await validate()
    expect([led, visit.userSessionId.value, account.nickName.value]).toEqual([[], 'visit-2', 'Ida'])
  })

  test.each(['Warning', 'Appeal', 'InReview', 'Blocked'] as const)('the status %s is shown', async (status) => {
    const { led, lobby, validate } = await onDashboard(later({ block: { status } }))
    await validate()
    expect([lobby.status.value, led]).toEqual([status, []])
  })

  test('an older status does not replace that of an appeal', async () => {
    const answer = Promise.withResolvers<Start>()
    const suspended = startOf({ block: { status: 'Appeal' } })
    const { clock, lobby, validate } = await onDashboard(suspended, answer.promise)
    await validate()
    clock.advance(LOGIN_CHECK_MS)
    await lobby.appeal()
    answer.resolve(suspended)
    await waitFor(() => expect(clock.waiting()).toBe(1))
    expect(lobby.status.value).toBe('InReview')
  })

  test('a notice stays although the server has it marked as seen', async () => {
    const notice = { outcome: 'restored', at: 1 } as const
    const { lobby, validate } = await onDashboard(startOf({ block: { status: 'Valid', notice } }))
    await validate()
    await validate()
    expect(lobby.notice.value).toEqual(notice)
  })

  test('a pending deletion is shown, and one that was cancelled meanwhile is not shown again', async () => {
    const answer = Promise.withResolvers<Start>()
    const deleting = startOf({ deletion: { deletion: waiting, delayDays: 3 } })
    const { clock, myData, validate } = await onDashboard(deleting, answer.promise)
    await validate()
    expect(myData.deletion.value).toEqual(waiting)
    clock.advance(LOGIN_CHECK_MS)
    expect(await myData.keep()).toBe(true)
    answer.resolve(deleting)
    await waitFor(() => expect(clock.waiting()).toBe(1))
    expect(myData.deletion.value).toBeNull()
  })

  test.each([
    ['a ban', { block: { status: 'Blocked' } }],
    ['a pending deletion', { deletion: { deletion: waiting, delayDays: 3 } }],
  ] as const)('%s ends a search', async (_, changed) => {
    const { call, clock, search } = await onDashboard(startOf(changed))
    search()
    clock.advance(LOGIN_CHECK_MS)
    await waitFor(() => expect(call.state.value).toEqual({ phase: 'ended', reason: 'not-allowed' }))
  })

  test('a valid login leaves a search alone', async () => {
    const { call, clock, checks, search } = await onDashboard()
    search()
    clock.advance(LOGIN_CHECK_MS)
    await waitFor(() => expect(clock.waiting()).toBe(1))
    expect([checks(), call.phase.value]).toEqual([1, 'searching'])
  })

  test.each(['network-error', 'timeout', 'http-error', 'server-unreachable'] as const)(
    'that fails with %s changes nothing, and the next is asked for five minutes later',
    async (code) => {
      const { checks, led, log, lobby, validate } = await onDashboard(Promise.reject(new AppError(code)))
      await validate()
      await validate()
      expect([checks(), led, lobby.status.value]).toEqual([2, [], 'Valid'])
      expect(log.errors).toEqual([`The login was not validated: ${code}`])
    },
  )

  test('without a valid login session changes nothing', async () => {
    const { led, log, validate } = await onDashboard(startOf({ session: '' }))
    await validate()
    expect([led, log.errors]).toEqual([[], ['The login was not validated: cookie-invalid']])
  })

  test('that arrives after the screen was left changes nothing', async () => {
    const answer = Promise.withResolvers<Start>()
    const { clock, led, log, login } = await onDashboard(answer.promise)
    clock.advance(LOGIN_CHECK_MS)
    login.entered('/about')
    answer.resolve(firstVisit())
    await waitFor(() => expect(clock.waiting()).toBe(0))
    expect([led, log.errors]).toEqual([[], []])
  })
})
