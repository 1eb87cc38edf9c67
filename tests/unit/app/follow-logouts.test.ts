import { expect, test } from 'vitest'
import { followLogouts } from '../../../src/app/login-watch.ts'
import { openFakeWindow } from '../../support/fakes/fake-sign-in-window.ts'
import { startOf } from '../../support/fakes/start-of.ts'
import { visitor } from '../../support/stores/account-visitor.ts'

/** A tab that hears of logouts in others; `elsewhere` are its subscriptions. */
function tab(...given: Parameters<typeof visitor>) {
  const world = visitor(...given)
  const elsewhere: ((sessionId: string) => void)[] = []
  const led: string[] = []
  followLogouts({
    ...world,
    navigation: { go: (path) => void led.push(path) },
    onLogoutElsewhere: (listener) => void elsewhere.push(listener),
  })
  function hear(sessionId: string): void {
    for (const listener of elsewhere) listener(sessionId)
  }
  return { ...world, elsewhere, led, hear }
}

test('a user who has signed in and not confirmed the names is led to the sign-in page by a logout elsewhere', async () => {
  const { account, visit, hear, led } = tab()
  expect(await account.signIn('Google', openFakeWindow)).toBe(true)
  hear('s1')
  expect([account.email.value, visit.flags.value.splashScreenPageLoaded, led]).toEqual(['', true, ['/']])
})

test('a user who was signed in at the start is, too, but not by the end of another login session', async () => {
  const { account, hear, led } = tab({ readStart: () => startOf() })
  await account.start()
  hear('visit-0')
  expect([account.email.value, led]).toEqual(['ada@example.org', []])
  hear('visit-1')
  expect([account.email.value, led]).toEqual(['', ['/']])
})

test('a page subscribes once, and not without a user', async () => {
  const { account, elsewhere } = tab()
  expect(elsewhere).toHaveLength(0)
  for (let times = 0; times < 2; times += 1) {
    expect(await account.signIn('Google', openFakeWindow)).toBe(true)
    account.loginEnded()
  }
  expect(elsewhere).toHaveLength(1)
})
