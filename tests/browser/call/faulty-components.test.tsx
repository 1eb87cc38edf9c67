import { useEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { ScreenBoundary } from '../../../src/app/routes.tsx'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { MatchingPage } from '../../../src/call/search/matching-page.tsx'
import { fakeStores, meet, paintedStream } from '../../support/browser/fake-stores.ts'
import { drawn, render, unmount } from '../../support/browser/render.tsx'

type Component = (props: object) => unknown

const planted = vi.hoisted(() => ({ names: new Set<string>(), name: '', at: '' }))

/** Every component of the screens, with a fault in the one that a test names. */
vi.mock('../../../src/platform/jsx/jsx-dev-runtime.ts', async (load) => {
  const real = await load<typeof import('../../../src/platform/jsx/jsx-dev-runtime.ts')>()
  const faulty = new Map<unknown, Component>()
  function withFault(component: Component): Component {
    const { name } = component
    return function Faulty(props) {
      planted.names.add(name)
      const is = (at: string) => planted.name === name && planted.at === at
      if (is('render')) throw new Error('planted')
      useEffect(() => {
        if (is('effect')) throw new Error('planted')
      })
      return component(props)
    }
  }
  const jsxDEV: typeof real.jsxDEV = (type, ...rest) => {
    if (typeof type !== 'function' || type.prototype?.isReactComponent) return real.jsxDEV(type, ...rest)
    const wrapped = faulty.get(type) ?? withFault(type as Component)
    faulty.set(type, wrapped)
    return real.jsxDEV(wrapped as typeof type, ...rest)
  }
  return { ...real, jsxDEV }
})

async function show(screen: 'call' | 'search'): Promise<unknown[]> {
  const fake = fakeStores({ devices: ['front', 'back'].map((id) => ({ kind: 'camera', id, label: id })) })
  await fake.signIn()
  await fake.stores.devices.open()
  if (screen === 'call') {
    meet(fake)
    fake.stores.call.showRemote(paintedStream())
    fake.stores.chat.receive('hello')
  }
  const faults: unknown[] = []
  render(
    fake.stores,
    <ScreenBoundary onFault={(thrown) => faults.push(thrown)}>
      {screen === 'call' ? <CallPage /> : <MatchingPage />}
    </ScreenBoundary>,
  )
  await drawn()
  return faults
}

test.each(['call', 'search'] as const)(
  'a fault of any component of the %s, drawn or in an effect, ends it',
  async (screen) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    planted.name = ''
    planted.names.clear()
    expect(await show(screen)).toEqual([])
    await expect.poll(() => document.querySelectorAll('button').length).toBeGreaterThan(0)
    const names = [...planted.names]
    expect(names.length).toBeGreaterThan(screen === 'call' ? 20 : 6)
    for (const at of ['render', 'effect'])
      for (const name of names) {
        unmount()
        Object.assign(planted, { name, at })
        const faults = await show(screen)
        await expect.poll(() => faults.length, { message: `${name}, ${at}` }).toBeGreaterThan(0)
      }
    vi.restoreAllMocks()
  },
)
