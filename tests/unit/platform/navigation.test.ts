import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNavigation } from '../../../src/platform/navigation.ts'
import { ABOVE_DASHBOARD, isAboveDashboard, isCallScreen } from '../../../src/platform/rules/history-entry.ts'

type Entry = { path: string; state: unknown }

/** The browser's history and the router above it, which shows each entry some time after it changed. */
function browser(start: string) {
  const navigation = createNavigation()
  const entries: Entry[] = [
    { path: 'before', state: null },
    { path: start, state: null },
  ]
  let index = 1
  const later: (() => void)[] = []

  const here = () => entries[index] ?? { path: 'outside', state: null }
  function show(): void {
    const { path, state } = here()
    later.push(() => navigation.arrived({ path, isAboveDashboard: isAboveDashboard(state) }))
  }
  function traverse(by: number): void {
    if (entries[index + by] === undefined) return
    index += by
    show()
  }
  const push = (path: string, state: unknown = null) => {
    entries.splice(index + 1, entries.length, { path, state })
    index += 1
    show()
  }
  const settle = () => {
    for (let task = later.shift(); task; task = later.shift()) task()
  }
  navigation.arrived({ path: start, isAboveDashboard: false })
  const unbind = navigation.bind({
    path: () => here().path,
    replace(path, state) {
      entries[index] = { path, state }
      show()
    },
    back: () => void later.push(() => traverse(-1)),
  })
  return {
    navigation,
    unbind,
    push,
    start: () => push('/buzzing', ABOVE_DASHBOARD),
    goBack: () => traverse(-1),
    goForward: () => traverse(1),
    settle,
    path: () => here().path,
    index: () => index,
    paths: () => entries.map(({ path }) => path),
  }
}

test('a search and any number of calls are one entry above the dashboard, and Exit leads back to its entry', () => {
  const { navigation, start, settle, paths, path, index } = browser('/dashboard')
  start()
  settle()
  for (const next of ['/chat', '/buzzing', '/buzzing', '/chat']) {
    navigation.go(next)
    settle()
    expect(paths()).toEqual(['before', '/dashboard', next])
  }
  navigation.go('/dashboard')
  settle()
  expect([path(), index()]).toEqual(['/dashboard', 1])
  start()
  settle()
  expect(paths()).toHaveLength(3)
})

test('two ways out of one call go back once', () => {
  const { navigation, start, settle, path } = browser('/dashboard')
  start()
  settle()
  navigation.go('/chat')
  navigation.go('/dashboard')
  navigation.go('/dashboard')
  settle()
  expect(path()).toBe('/dashboard')
})

test('the end of the login in a search takes the dashboard’s entry', () => {
  const { navigation, start, settle, paths, index } = browser('/dashboard')
  start()
  settle()
  navigation.go('/login')
  settle()
  expect([paths()[1], index()]).toEqual(['/login', 1])
})

test('a call screen that the dashboard is not below is replaced', () => {
  const { navigation, settle, paths } = browser('/chat')
  navigation.go('/dashboard')
  settle()
  expect(paths()).toEqual(['before', '/dashboard'])
})

test('a call that the user has left shows no screen of its own', () => {
  const { navigation, start, goBack, settle, path } = browser('/dashboard')
  start()
  settle()
  goBack()
  settle()
  navigation.go('/chat')
  settle()
  expect(path()).toBe('/dashboard')
})

test('the last path before the router is there waits for it', () => {
  const { navigation, unbind, settle, paths } = browser('/')
  unbind()
  navigation.go('/dashboard')
  navigation.go('/login')
  navigation.bind({ path: () => '/', replace: (path) => expect(path).toBe('/login'), back: () => expect.unreachable() })
  settle()
  expect(paths()).toEqual(['before', '/'])
})

const step = fc.constantFrom('start', '/buzzing', '/chat', '/dashboard', 'back', 'forward', 'about', 'settle')

test('whatever happens in whatever order, the product is never left by itself and no call has two entries', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const world = browser('/dashboard')
      for (const each of steps) {
        // What the user does comes after what is shown; what the call does may come at any time.
        if (!each.startsWith('/')) world.settle()
        if (each === 'start') {
          if (world.path() === '/dashboard') world.start()
        } else if (each === 'about') world.push('/about')
        else if (each === 'back') {
          // The user leaves the product: nothing of it runs any more.
          if (world.index() > 1) world.goBack()
        } else if (each === 'forward') world.goForward()
        else if (each.startsWith('/')) world.navigation.go(each)
        expect(world.index()).toBeGreaterThan(0)
        const paths = world.paths()
        for (const [at, path] of paths.entries())
          if (isCallScreen(path)) expect(isCallScreen(paths[at + 1] ?? '')).toBe(false)
      }
    }),
  )
})
