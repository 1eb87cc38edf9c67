import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { fakeStores, meet, paintedStream } from '../../support/browser/fake-stores.ts'
import { pointTo } from '../../support/browser/pointer.ts'
import { render, unmount } from '../../support/browser/render.tsx'

const real = Object.getOwnPropertyDescriptor(window, 'visualViewport')
afterEach(() => {
  if (real) Object.defineProperty(window, 'visualViewport', real)
})

/** A viewport as on iOS: the keyboard covers the page, which keeps its size. */
function fakeViewport() {
  const target = Object.assign(new EventTarget(), { width: 390, height: 844, offsetTop: 0, scale: 1 })
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
  pointTo('coarse', 844)
  return {
    listening: () => listening,
    change(size: { height: number; offsetTop?: number; scale?: number }) {
      Object.assign(target, size)
      target.dispatchEvent(new Event('resize'))
    },
  }
}

async function call(): Promise<void> {
  const fake = fakeStores()
  await fake.signIn()
  await fake.stores.devices.open()
  meet(fake)
  fake.stores.call.showRemote(paintedStream())
  render(fake.stores, <CallPage />)
  await expect.element(page.getByLabelText('Message')).toBeVisible()
}

async function visit() {
  await page.viewport(390, 844)
  const viewport = fakeViewport()
  await call()
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

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

/** Where the parts of the call are; Next is as wide as the seconds that are left. */
function layout() {
  const parts = document.querySelectorAll('main, main > *, main fieldset button, main textarea')
  return [...parts].map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect()
    return `${part.tagName} ${[x, y, width, height].map(Math.round)}`
  })
}

/** Windows that are not as high as the screen, as where they are not maximised, beside docked tools, or with a zoomed page. */
const windows = [900, 1080, 1440].flatMap((screenHeight) =>
  [
    [1280, 700],
    [1920, 600],
    [1024, 420],
    [800, 500],
    [640, 360],
    [500, 800],
    [400, 500],
    [320, 256],
  ].map(([width = 0, height = 0]) => ({ width, height, screenHeight })),
)

test('with a mouse, a click into the chat moves nothing at any size of window and screen', async () => {
  pointTo('fine', 1080)
  await call()
  const field = page.getByLabelText('Message').element() as HTMLElement
  for (const { width, height, screenHeight } of windows) {
    pointTo('fine', screenHeight)
    field.blur()
    await page.viewport(width, height)
    await nextFrame()
    const before = layout()
    field.focus()
    await nextFrame()
    expect(layout(), `${width}x${height} on ${screenHeight}`).toEqual(before)
  }
})

/** Sets the size, and waits until scripts see it: the visual viewport follows a frame or more later. */
async function resize(width: number, height: number): Promise<void> {
  await page.viewport(width, height)
  await expect.poll(() => [visualViewport?.width, visualViewport?.height]).toEqual([width, height])
}

const phones = [
  [320, 568],
  [360, 640],
  [390, 844],
  [430, 932],
] as const

test.each([260, 300, 340, 400])(
  'the keyboard of %s px of an upright phone leaves the field its width',
  async (keyboard) => {
    pointTo('coarse', 640)
    for (const [width, height] of phones) {
      // No keyboard is so high.
      if (keyboard > 0.6 * height) continue
      await resize(width, height)
      await call()
      const field = page.getByLabelText('Message').element() as HTMLElement
      field.focus()
      // As in Chromium, where the keyboard makes the window lower.
      await resize(width, height - keyboard)
      await expect.poll(() => page.getByRole('main').element().hasAttribute('data-keyboard')).toBe(true)
      await expect.poll(() => boxOf(field).bottom).toBeLessThanOrEqual(height - keyboard)
      expect(field.getBoundingClientRect().width, `${width}x${height}`).toBeGreaterThan(width / 2)
      const own = page.getByLabelText('My video').element().getBoundingClientRect()
      const exit = page
        .getByRole('button', { name: /^Next match/ })
        .element()
        .getBoundingClientRect()
      expect(own.bottom).toBeLessThanOrEqual(exit.top)
      unmount()
    }
  },
)
