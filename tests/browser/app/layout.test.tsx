import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { MatchingPage } from '../../../src/call/search/matching-page.tsx'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { fakeStores, meet, paintedStream, tick } from '../../support/browser/fake-stores.ts'
import { pointTo } from '../../support/browser/pointer.ts'
import { render } from '../../support/browser/render.tsx'

/** Of windows and phones; the last two are a window of 1280 x 800 at page zooms of 300 % and 50 %. */
const sizes = [
  [320, 640],
  [390, 844],
  [844, 390],
  [667, 375],
  [768, 1024],
  [600, 800],
  [800, 500],
  [1000, 700],
  [1024, 420],
  [1024, 600],
  [1100, 700],
  [1200, 700],
  [1280, 800],
  [427, 267],
  [2560, 1600],
] as const

afterEach(() => {
  document.documentElement.style.fontSize = ''
})

/** With two cameras: a phone has one switch more. */
const devices = ['front', 'back'].map((id) => ({ kind: 'camera' as const, id, label: id }))

async function call() {
  const fake = fakeStores({ devices })
  await fake.signIn()
  await fake.stores.devices.open()
  meet(fake, 'Maximiliano Bartholomew Quincy')
  fake.stores.chat.receive('averyveryverylongwordwithoutanyspaceinit'.repeat(4))
  return fake
}

function expectRoom(main: Element): void {
  const { clientWidth, clientHeight } = document.documentElement
  const chat = main.querySelector('aside')?.getBoundingClientRect()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(clientWidth)
  for (const control of main.querySelectorAll('button, textarea')) {
    const { width, height, left, right, bottom } = control.getBoundingClientRect()
    if (width === 0) continue
    expect.soft(Math.min(width, height), control.textContent).toBeGreaterThanOrEqual(44)
    expect.soft(left, control.textContent).toBeGreaterThanOrEqual(0)
    expect.soft(right, control.textContent).toBeLessThanOrEqual(clientWidth)
    // The blur button fills the whole picture, and the chat may cover a part of it.
    if (chat && !control.closest('aside') && width < clientWidth && bottom > chat.top)
      expect.soft(right, control.textContent).toBeLessThanOrEqual(chat.left)
    if (getComputedStyle(main).position === 'fixed') expect.soft(bottom).toBeLessThanOrEqual(clientHeight)
  }
}

test.for(sizes)('at %i x %i every control of the call is fully visible and large enough', async ([width, height]) => {
  await page.viewport(width, height)
  const fake = await call()
  render(fake.stores, <CallPage />)
  const main = page.getByRole('main')
  await expect.element(page.getByText(/averyvery/)).toBeVisible()
  expectRoom(main.element())
  tick(fake, 10)
  await expect.element(page.getByRole('button', { name: 'Exit' })).toBeVisible()
  expectRoom(main.element())

  const bubble = page.getByText(/averyvery/).element()
  const most = width < 1024 ? width * 0.4 : 0.7 * page.getByRole('log').element().clientWidth
  expect(bubble.getBoundingClientRect().width).toBeLessThanOrEqual(most + 1)
  expect(bubble.scrollWidth).toBeLessThanOrEqual(bubble.clientWidth)
  expect(page.getByText('Ada', { exact: true }).query()?.checkVisibility()).toBe(width >= 1024)
})

test('with text twice as large on a phone nothing overflows the window', async () => {
  await page.viewport(340, 740)
  document.documentElement.style.fontSize = '200%'
  const fake = await call()
  render(fake.stores, <CallPage />)
  const main = page.getByRole('main')
  await expect.element(page.getByText(/averyvery/)).toBeVisible()
  expectRoom(main.element())
  tick(fake, 10)
  await expect.element(page.getByRole('button', { name: 'Exit' })).toBeVisible()
  expectRoom(main.element())
})

test.for(sizes)('at %i x %i dashboard and matching fit', async ([width, height]) => {
  await page.viewport(width, height)
  const fake = fakeStores({ status: 'Warning' })
  await fake.signIn()
  render(
    fake.stores,
    <>
      <DashboardPage />
      <MatchingPage />
    </>,
  )
  await expect.element(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  for (const main of document.querySelectorAll('main')) expectRoom(main)
})

test.for([
  [390, 844],
  [768, 1024],
] as const)(
  'at %i x %i the footer of the dashboard is below the fold before and after the camera opens',
  async (size) => {
    await page.viewport(size[0], size[1])
    const fake = fakeStores({ cameraRefused: true })
    await fake.signIn()
    render(fake.stores, <DashboardPage />)
    const footer = () => page.getByRole('contentinfo').element().getBoundingClientRect().top
    await expect.element(page.getByRole('alert')).toBeVisible()
    expect(footer()).toBeGreaterThanOrEqual(size[1])
    fake.world.cameraRefused = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
    expect(footer()).toBeGreaterThanOrEqual(size[1])
  },
)

test('while the keyboard is open the picture is a strip and the chat stays fully visible', async () => {
  await page.viewport(390, 844)
  pointTo('coarse', 844)
  const { stores } = await call()
  render(stores, <CallPage />)
  const box = page.getByLabelText('Message')
  const picture = () => page.getByRole('region', { name: 'Pictures' }).element().getBoundingClientRect().height
  await expect.element(box).toBeVisible()
  expect(picture()).toBeGreaterThan(300)
  await box.click()
  expect(picture()).toBeGreaterThan(300)
  await page.viewport(390, 500)
  await expect.poll(picture).toBe(96)
  expectRoom(page.getByRole('main').element())
  const field = box.element()
  if (field instanceof HTMLElement) field.blur()
  await expect.poll(picture).toBeGreaterThan(96)
})

test('on a phone in landscape the chat can be hidden', async () => {
  await page.viewport(844, 390)
  const { stores } = await call()
  render(stores, <CallPage />)
  const log = page.getByRole('log', { name: 'Chat' })
  await expect.element(log).toBeVisible()
  await page.getByRole('button', { name: 'Hide chat' }).click()
  await expect.element(log).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Show chat' }).click()
  await expect.element(log).toBeVisible()
})

/** The smallest window, an upright and a lying phone, the last of `sizes` at 300 %, a window. */
const noteSizes = [
  [320, 568],
  [390, 844],
  [667, 375],
  [427, 267],
  [1280, 800],
] as const

/** Whether a press in the middle of the control reaches it. */
function isFree(control: Element): boolean {
  const { left, top, width, height } = control.getBoundingClientRect()
  return control.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

/** In Spanish, whose sentences are longer. */
async function spanishCall() {
  const fake = await call()
  await fake.stores.texts.choose('es')
  fake.stores.call.showRemote(paintedStream())
  return fake
}

test.for(noteSizes)('at %i x %i what is said of the pictures of a call covers no control', async ([width, height]) => {
  await page.viewport(width, height)
  const { stores } = await spanishCall()
  render(stores, <CallPage />)
  const main = page.getByRole('main')
  const blur = page.getByRole('button', { name: /^Toca para ver/ })
  await expect.element(blur).toBeVisible()
  await expect.element(blur).not.toBeInTheDocument()
  const controls = () => [...main.element().querySelectorAll('button:enabled')].filter((one) => one.checkVisibility())
  const before = controls().filter(isFree)
  stores.pictureStates.judged('own', 'black')
  stores.pictureStates.judged('peer', 'looped')
  await expect.element(page.getByText(/^Esta imagen se repite/)).toBeVisible()
  await expect.element(page.getByText(/^Imagen negra/)).toBeVisible()
  expectRoom(main.element())
  const report = controls().filter(({ textContent }) => textContent === 'Denunciar esta imagen')
  expect(report).toHaveLength(height > 300 ? 1 : 0)
  for (const control of [...before, ...report]) expect.soft(isFree(control), control.outerHTML).toBe(true)
})

test.for(noteSizes)('at %i x %i the hint of the dashboard covers no control, and is whole', async ([width, height]) => {
  await page.viewport(width, height)
  const { stores } = await spanishCall()
  render(stores, <DashboardPage />)
  const settings = page.getByRole('button', { name: 'Cámara y sonido' })
  await expect.element(settings).toBeVisible()
  stores.pictureStates.judged('own', 'black')
  const note = page.getByText(/^Tu imagen está negra y nadie te vería\./)
  await expect.element(note).toBeVisible()
  expect(isFree(settings.element())).toBe(true)
  const preview = settings.element().parentElement?.getBoundingClientRect()
  expect(note.element().getBoundingClientRect().bottom).toBeLessThanOrEqual((preview?.bottom ?? 0) + 1)
})
