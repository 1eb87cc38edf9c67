import { describe, expect, test } from 'vitest'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import type { EndpointInput } from '#protocol/rest.ts'
import { fakePendingLogout } from '../../support/fakes/fake-pending-logout.ts'
import { openFakeWindow } from '../../support/fakes/fake-sign-in-window.ts'
import { firstVisit, startOf } from '../../support/fakes/start-of.ts'
import { ada, picture, valid, visitor } from '../../support/stores/account-visitor.ts'
import { waitFor } from '../../support/wait-for.ts'

const never = () => new Promise<never>(() => {})
/** The start of the visit that follows a logout. */
const nextVisit = () => ({ ...firstVisit(), session: 'visit-2#new' })
const count = (made: readonly string[], name: string) => made.filter((each) => each === name).length

describe('a logout', () => {
  test('clears everything of the user at once, whatever the network does', async () => {
    const { account, visit, stored, pendingLogout } = visitor({ readStart: () => startOf(), logout: never })
    stored.set('profilePicture', picture)
    stored.set('chosenCamera', 'camera')
    await account.start()
    visit.mark('dashboardPageLoaded')
    account.logout()
    expect([account.email.value, account.nickName.value, account.picture.value]).toEqual(['', '', null])
    expect(Object.values(visit.flags.value)).not.toContain(true)
    expect([...stored.keys()]).toEqual(['chosenCamera'])
    expect(pendingLogout.read()).toBe('visit-1')
  })

  test('leads to the sign-in page without waiting for the network', async () => {
    const { account, visit } = visitor({ readStart: () => startOf(), logout: never })
    await account.start()
    account.logout()
    expect(await account.start()).toBe('login')
    expect(visit.flags.value.splashScreenPageLoaded).toBe(true)
  })

  test('names its login session, and is over once the server has heard of it', async () => {
    const heard: EndpointInput<'logout'>[] = []
    const { account, clock, pendingLogout } = visitor({
      readStart: () => startOf(),
      logout(input) {
        heard.push(input)
        return valid()
      },
    })
    await account.start()
    account.logout()
    await waitFor(() => expect(pendingLogout.read()).toBe(''))
    expect(heard).toEqual([{ UserSessionId: 'visit-1' }])
    expect(clock.waiting()).toBe(0)
  })

  test('is told to the server although the browser does not respond about what it has stored', async () => {
    const { account, clock, stored, pendingLogout } = visitor({ readStart: () => startOf() })
    await account.start()
    stored.get = () => never() as never
    account.logout()
    await waitFor(() => expect(clock.waiting()).toBeGreaterThan(0))
    clock.advance(10_000)
    await waitFor(() => expect(pendingLogout.read()).toBe(''))
  })

  test.each(['is loaded', 'cannot be loaded'])(
    'is told to the server once the sign-in page %s: the response clears the caches',
    async (outcome) => {
      const page = Promise.withResolvers<void>()
      const { account, api, pendingLogout } = visitor({}, undefined, undefined, undefined, () => page.promise)
      account.logout()
      expect(await account.start()).toBe('login')
      expect(api.made).not.toContain('logout')
      if (outcome === 'is loaded') page.resolve()
      else page.reject(new AppError('network-error'))
      await waitFor(() => expect(pendingLogout.read()).toBe(''))
      expect(count(api.made, 'logout')).toBe(1)
    },
  )

  test.each<[ErrorCode, number | null]>([
    ['network-error', null],
    ['too-many-requests', 429],
    ['login-required', 401],
  ])('that ends with %s is sent again until the server has heard of it', async (code, status) => {
    let fails = 2
    const { account, api, clock, pendingLogout } = visitor({
      readStart: () => startOf(),
      logout() {
        fails -= 1
        if (fails >= 0) throw new AppError(code, code, status === null ? {} : { status })
        return valid()
      },
    })
    await account.start()
    account.logout()
    for (let sent = 1; sent <= 2; sent += 1) {
      await waitFor(() => expect(clock.waiting()).toBe(1))
      expect(pendingLogout.read()).toBe('visit-1')
      clock.advance(30_000)
    }
    await waitFor(() => expect(pendingLogout.read()).toBe(''))
    expect([count(api.made, 'logout'), clock.waiting()]).toEqual([3, 0])
  })

  test('keeps the choices of the browser alone, although the response clears what pages have stored', async () => {
    const { account, stored, pendingLogout } = visitor({
      logout() {
        stored.clear()
        return valid()
      },
    })
    const choices: [string, string][] = [
      ['cookieChoice', 'all'],
      ['chosenCamera', 'a camera'],
      ['hideNetworkAddress', 'on'],
    ]
    for (const [key, value] of [...choices, ['sounds', 'off']] as const) stored.set(key, value)
    stored.set('profilePicture', picture)
    account.logout()
    await waitFor(() => expect(pendingLogout.read()).toBe(''))
    expect([...stored]).toEqual(choices)
  })

  test('that another tab has told the server meanwhile is not told again', async () => {
    const pending = fakePendingLogout()
    const told = Promise.withResolvers<void>()
    const { account, api, log } = visitor({}, undefined, undefined, {
      ...pending,
      async alone(signal, task) {
        pending.settle('s1')
        await pending.alone(signal, task)
        told.resolve()
      },
    })
    account.logout()
    await told.promise
    expect([api.made, log.errors]).toEqual([[], []])
  })
})

describe('a visit that starts while the server has not heard of the logout', () => {
  test('goes to the sign-in page, and tells the server before it asks for anything', async () => {
    const pending = fakePendingLogout('visit-1')
    const { account, api, visit } = visitor({ readStart: nextVisit, logout: valid }, undefined, undefined, pending)
    visit.forget()
    expect(await account.start()).toBe('login')
    await waitFor(() => expect(visit.userSessionId.value).toBe('visit-2'))
    expect(api.made).toEqual(['logout', 'readStart'])
    expect(pending.read()).toBe('')
  })

  test('offline goes to the sign-in page as well, without an error', async () => {
    const offline = () => Promise.reject(new AppError('network-error'))
    const pending = fakePendingLogout('visit-1')
    const { account, log, toasts } = visitor({ readStart: offline, logout: offline }, undefined, undefined, pending)
    expect(await account.start()).toBe('login')
    await waitFor(() => expect(log.errors).toHaveLength(2))
    expect([account.email.value, toasts.failure.value, pending.read()]).toEqual(['', null, 'visit-1'])
  })

  test('does not take an answer that was on its way when another tab logged out', async () => {
    const answer = Promise.withResolvers<ReturnType<typeof startOf>>()
    const answers = [answer.promise, Promise.resolve(nextVisit())]
    const { account, visit, pendingLogout } = visitor({
      readStart: () => answers.shift() ?? nextVisit(),
      logout: valid,
    })
    const started = account.start()
    pendingLogout.keep('visit-1')
    answer.resolve(startOf())
    expect(await started).toBe('login')
    expect(account.email.value).toBe('')
    await waitFor(() => expect(visit.userSessionId.value).toBe('visit-2'))
  })
})

describe('the next user who signs in', () => {
  const signsIn = { setTokens: valid, createSession: valid, readIp: never }

  test('does so in a new login session, and no late logout ends that', async () => {
    const sessions: string[] = []
    const { account, api } = visitor({
      ...signsIn,
      readStart: nextVisit,
      logout: valid,
      setTokens({ userSessionId }) {
        sessions.push(userSessionId)
        return valid()
      },
    })
    account.logout()
    await account.start()
    await waitFor(() => expect(api.made).toContain('logout'))
    expect(await account.signIn('Google', openFakeWindow)).toBe(true)
    expect(sessions).toEqual(['visit-2'])
    expect([account.email.value, count(api.made, 'logout')]).toEqual([ada.emailAddress, 1])
  })

  test('does not wait for a logout whose response is late, which would clear the new cookies', async () => {
    const { account, api, log, visit } = visitor({ ...signsIn, readStart: nextVisit, logout: never })
    account.logout()
    expect(await account.start()).toBe('login')
    expect(await account.signIn('Google', openFakeWindow)).toBe(true)
    expect(log.errors).toEqual(['The server has not heard of the logout'])
    expect(api.made.indexOf('readStart')).toBeLessThan(api.made.indexOf('setTokens'))
    expect(visit.userSessionId.value).toBe('visit-2')
  })

  test('takes up a login session of their own if the visit could not begin before', async () => {
    let isOffline = true
    const unlessOffline = <T>(value: T) => {
      if (isOffline) throw new AppError('network-error')
      return value
    }
    const { account, log, visit } = visitor({
      ...signsIn,
      readStart: () => unlessOffline(nextVisit()),
      readSession: () => unlessOffline({ cookieValue: 'visit-3#new' }),
      logout: () => unlessOffline(valid()),
    })
    account.logout()
    await account.start()
    await waitFor(() => expect(log.errors).toHaveLength(2))
    isOffline = false
    expect(await account.signIn('Google', openFakeWindow)).toBe(true)
    expect(visit.userSessionId.value).toBe('visit-3')
  })
})
