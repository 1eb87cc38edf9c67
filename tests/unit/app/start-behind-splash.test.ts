import { expect, it, vi } from 'vitest'
import type { FirstScreen } from '../../../src/account/state/start-up.ts'
import { startBehindSplash } from '../../../src/app/start-behind-splash.ts'
import { fakeClock } from '../../support/fake-clock.ts'

/** A start-up that ends when `answer` is called. */
function startedApp(likely?: string) {
  const loads: string[] = []
  const clock = fakeClock()
  let answer: (screen: FirstScreen | null) => void = () => {}
  const begun = new Promise<FirstScreen | null>((resolve) => {
    answer = resolve
  })
  const start = vi.fn(() => begun)
  const preloaded = (name: string) => ({ load: async () => void loads.push(name) })
  const app = {
    entered: (path: string) => void loads.push(`entered ${path}`),
    stores: { account: { startAhead: () => begun, start } },
    pages: { signIn: preloaded('sign-in'), dashboard: preloaded('dashboard') },
    member: preloaded('member'),
  }
  const outcome = startBehindSplash(app, clock, likely)
  return { outcome, loads, clock, start, answer: (screen: FirstScreen | null) => answer(screen) }
}

it('loads the screen that the start-up leads to, and stops its timer', async () => {
  const { outcome, loads, answer, clock, start } = startedApp()
  expect(loads).toEqual(['entered /'])
  answer('dashboard')
  expect(await outcome).toBe('dashboard')
  expect(loads).toEqual(['entered /', 'dashboard', 'member'])
  expect(clock.waiting()).toBe(0)
  expect(start).toHaveBeenCalledOnce()
})

it('loads the screen that the server expects before the start-up has ended', async () => {
  const { outcome, loads, answer } = startedApp('dashboard')
  expect(loads).toEqual(['entered /', 'dashboard', 'member'])
  answer('login')
  expect(await outcome).toBe('login')
  expect(loads.at(-1)).toBe('sign-in')
})

it.each([
  ['an unknown screen', 'buzzing'],
  ['no screen', undefined],
])('loads nothing early for %s', async (_, likely) => {
  const { loads, outcome, answer } = startedApp(likely)
  expect(loads).toEqual(['entered /'])
  answer(null)
  expect(await outcome).toBeNull()
})

it('leaves a start-up that takes long to the splash screen', async () => {
  const { outcome, clock, start, loads } = startedApp()
  clock.advance(1_000)
  expect(await outcome).toBeNull()
  expect(start).not.toHaveBeenCalled()
  expect(loads).toEqual(['entered /'])
})

it('leaves a start-up that has failed to the splash screen', async () => {
  const { outcome, answer, start } = startedApp()
  answer(null)
  expect(await outcome).toBeNull()
  expect(start).not.toHaveBeenCalled()
})
