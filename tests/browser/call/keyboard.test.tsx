import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { CallPage } from '../../../src/pages/call/call-page.tsx'
import { fakeStores, meet, paintedStream } from '../../support/browser/fake-stores.ts'
import { render, unmount } from '../../support/browser/render.tsx'

const real = Object.getOwnPropertyDescriptor(window, 'visualViewport')
const realHeight = Object.getOwnPropertyDescriptor(screen, 'height')
afterEach(() => {
  if (real) Object.defineProperty(window, 'visualViewport', real)
  Reflect.deleteProperty(screen, 'height')
  if (realHeight) Object.defineProperty(screen, 'height', realHeight)
})

/** A viewport as on iOS: the keyboard covers the page, which keeps its size. */
function fakeViewport() {
  const target = Object.assign(new EventTarget(), { height: 844, offsetTop: 0, scale: 1 })
  let listening = 0
  const { addEventListener } = target
  target.addEventListener = (name: string, listener: EventListener, options?: AddEventListenerOptions) => {
    listening += 1
    options?.signal?.addEventListener('abort', () => {
      listening -= 1
    })
    addEventListener.call(target, name, listener, options)
  }
  Object.defineProperty(window, 'visualViewport', { value: target, configurable: true })
  Object.defineProperty(screen, 'height', { value: 844, configurable: true })
  return {
    listening: () => listening,
    change(size: { height: number; offsetTop?: number; scale?: number }) {
      Object.assign(target, size)
      target.dispatchEvent(new Event('resize'))
    },
  }
}

async function visit() {
  await page.viewport(390, 844)
  const viewport = fakeViewport()
  const fake = fakeStores()
  await fake.signIn()
  await fake.stores.devices.open()
  meet(fake)
  fake.stores.call.showRemote(paintedStream())
  render(fake.stores, <CallPage />)
  await expect.element(page.getByLabelText('Message')).toBeVisible()
  await expect.poll(viewport.listening).toBe(2)
  return viewport
}

const boxOf = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return { top, bottom }
}

test('what the keyboard of a phone leaves free shows the field, and the page has its size back afterwards', async () => {
  const viewport = await visit()
  const main = page.getByRole('main').element() as HTMLElement
  const field = page.getByLabelText('Message').element() as HTMLElement
  const before = boxOf(main)
  field.focus()
  viewport.change({ height: 480, offsetTop: 120 })
  expect(boxOf(main)).toEqual({ top: 120, bottom: 600 })
  expect(main.hasAttribute('data-keyboard')).toBe(true)
  expect(boxOf(field).bottom).toBeLessThanOrEqual(600)
  expect(boxOf(field).top).toBeGreaterThanOrEqual(120)
  field.blur()
  expect(boxOf(main)).toEqual(before)
  expect(main.hasAttribute('data-keyboard')).toBe(false)
})

test('without a field to type in, and while the user zooms, the page keeps its size', async () => {
  const viewport = await visit()
  const main = page.getByRole('main').element() as HTMLElement
  const before = boxOf(main)
  viewport.change({ height: 760 })
  expect(boxOf(main)).toEqual(before)
  const field = page.getByLabelText('Message').element() as HTMLElement
  viewport.change({ height: 422, scale: 2 })
  field.focus()
  expect(boxOf(main)).toEqual(before)
})

test('nothing follows the keyboard after the call', async () => {
  const viewport = await visit()
  unmount()
  await expect.poll(viewport.listening).toBe(0)
})
