import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayOpen } from '../../../src/app/guards.ts'
import { createVisitStore, type Flags } from '../../../src/platform/state/visit.ts'

// Rules: docs/product.md ROUTE-1 to ROUTE-3, MATCH-2.

const untouched = createVisitStore().flags.peek()
const visit = (
  flags: Partial<Flags>,
  status: 'Valid' | 'Warning' | 'Appeal' | 'InReview' | 'Blocked' | null = null,
  byBrowser = false,
) => ({
  flags: { ...untouched, ...flags },
  status,
  byBrowser,
})

test.each(['/login', '/welcome', '/dashboard', '/buzzing', '/chat'] as const)('%s is closed after a reload', (path) => {
  expect(mayOpen(path, visit({}, 'Valid'))).toBe(false)
})

test('each step opens the next screen', () => {
  expect(mayOpen('/login', visit({ splashScreenPageLoaded: true }))).toBe(true)
  expect(mayOpen('/welcome', visit({ signInPageLoaded: true }))).toBe(true)
  expect(mayOpen('/dashboard', visit({ welcomePageLoaded: true }))).toBe(true)
  expect(mayOpen('/dashboard', visit({ dashboardPageCanBeLoadedFromSplashScreen: true }))).toBe(true)
  expect(mayOpen('/buzzing', visit({ dashboardPageLoaded: true }, 'Valid'))).toBe(true)
  expect(mayOpen('/chat', visit({ dashboardPageLoaded: true, navigationToVideoCallPage: true }))).toBe(true)
})

test('the chat needs both of its flags', () => {
  expect(mayOpen('/chat', visit({ dashboardPageLoaded: true }))).toBe(false)
  expect(mayOpen('/chat', visit({ navigationToVideoCallPage: true }))).toBe(false)
})

test('Back and Forward open neither a search nor a call, however it ended', () => {
  const all = { dashboardPageLoaded: true, navigationToVideoCallPage: true, welcomePageLoaded: true }
  expect(mayOpen('/buzzing', visit(all, 'Valid', true))).toBe(false)
  expect(mayOpen('/chat', visit(all, 'Valid', true))).toBe(false)
  expect(mayOpen('/dashboard', visit(all, 'Valid', true))).toBe(true)
})

test('matching opens only with the status Valid or Warning', () => {
  const statuses = fc.constantFrom('Appeal', 'InReview', 'Blocked', null)
  fc.assert(
    fc.property(statuses, fc.boolean(), (status, dashboardPageLoaded) => {
      expect(mayOpen('/buzzing', visit({ dashboardPageLoaded }, status))).toBe(false)
    }),
  )
  expect(mayOpen('/buzzing', visit({ dashboardPageLoaded: true }, 'Warning'))).toBe(true)
})
