import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DeviceButtons } from '../../../src/call/screens/call-controls.tsx'
import type { MediaDevice } from '../../../src/devices/ports.ts'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { render, unmount } from '../../support/browser/render.tsx'

const devices: MediaDevice[] = [
  { kind: 'camera', id: 'c1', label: 'Built-in camera' },
  { kind: 'camera', id: 'c2', label: 'Webcam' },
  { kind: 'microphone', id: 'm1', label: 'Built-in microphone' },
  { kind: 'speaker', id: 's1', label: 'Headset' },
]

const opener = page.getByRole('button', { name: 'Camera and sound' })
const menu = page.getByRole('dialog', { name: 'Camera and sound' })
const meter = menu.getByLabelText('Microphone level')

beforeEach(() => page.viewport(1280, 800))
afterEach(() => void vi.restoreAllMocks())

async function visit(there = devices, screen = <DashboardPage />) {
  const fake = fakeStores({ devices: there })
  await fake.signIn()
  let plug = () => {}
  fake.camera.onDevices = (listener) => {
    plug = () => listener('devices')
    return () => {}
  }
  const reopen = vi.spyOn(fake.camera, 'reopen')
  const shown = render(fake.stores, screen)
  await expect.element(opener).toBeVisible()
  return { ...fake, ...shown, reopen, plug: () => plug() }
}

const optionsOf = (name: string) =>
  [...menu.getByRole('combobox', { name }).element().querySelectorAll('option')].map(({ text }) => text)

test('camera, microphone and speaker can be chosen, and are used at once', async () => {
  const { stores, reopen } = await visit()
  const before = stores.devices.stream.value
  await opener.click()
  expect(optionsOf('Camera')).toEqual(['Automatic', 'Built-in camera', 'Webcam'])
  expect(optionsOf('Microphone')).toEqual(['Automatic', 'Built-in microphone'])
  expect(optionsOf('Speaker')).toEqual(['Automatic', 'Headset'])
  await menu.getByRole('combobox', { name: 'Camera' }).selectOptions('Webcam')
  await expect.element(menu.getByRole('combobox', { name: 'Camera' })).toHaveValue('c2')
  await expect.poll(() => stores.devices.stream.value).not.toBe(before)
  expect(reopen.mock.calls.at(-1)).toMatchObject([['video'], expect.anything(), {}, { camera: 'c2' }])
  await menu.getByRole('combobox', { name: 'Speaker' }).selectOptions('Headset')
  expect(stores.devices.chosen.value.speaker).toBe('s1')
  expect(reopen).toHaveBeenCalledOnce()
})

test('the menu takes the focus, closes by Escape and by its button, and returns the focus', async () => {
  await visit()
  for (const close of [
    () => userEvent.keyboard('{Escape}'),
    () => menu.getByRole('button', { name: 'Done' }).click(),
  ]) {
    await opener.click()
    await expect.element(menu.getByRole('button', { name: 'Done' })).toHaveFocus()
    await close()
    await expect.element(menu).not.toBeInTheDocument()
    await expect.element(opener).toHaveFocus()
  }
})

test('a device that is plugged in appears, one that is gone is Automatic again', async () => {
  const { world, plug } = await visit()
  await opener.click()
  await menu.getByRole('combobox', { name: 'Microphone' }).selectOptions('Built-in microphone')
  world.devices = [...devices.filter(({ id }) => id !== 'm1'), { kind: 'microphone', id: 'm2', label: '' }]
  plug()
  await expect.poll(() => optionsOf('Microphone')).toEqual(['Automatic', 'Microphone 1'])
  await expect.element(menu.getByRole('combobox', { name: 'Microphone' })).toHaveValue('')
})

test('a browser that cannot choose a speaker offers none', async () => {
  const real = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'setSinkId')
  Reflect.deleteProperty(HTMLMediaElement.prototype, 'setSinkId')
  try {
    await visit()
    await opener.click()
    await expect.element(menu.getByRole('combobox', { name: 'Camera' })).toBeVisible()
    expect(menu.getByRole('combobox', { name: 'Speaker' }).query()).toBeNull()
  } finally {
    if (real) Object.defineProperty(HTMLMediaElement.prototype, 'setSinkId', real)
  }
})

test('the level moves and is measured only while the menu is open, and renders no component', async () => {
  const fake = await visit()
  const hearing = new Set<(level: number) => void>()
  fake.camera.measure = (_stream, listener) => {
    hearing.add(listener)
    return () => void hearing.delete(listener)
  }
  expect(hearing.size).toBe(0)
  await opener.click()
  await expect.element(meter).toBeVisible()
  expect(hearing.size).toBe(1)
  const before = fake.runs()
  for (const level of [0.25, 0.5]) {
    for (const listener of hearing) listener(level)
    await expect.element(meter).toHaveProperty('value', level)
  }
  expect(fake.runs()).toBe(before)
  await menu.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => hearing.size).toBe(0)
})

test('a microphone that is switched off is marked beside its level', async () => {
  const { stores } = await visit()
  await opener.click()
  await expect.element(menu.getByText(/Say something/)).toBeVisible()
  stores.devices.toggleMicrophone()
  await expect.element(menu.getByText('Your microphone is off.')).toBeVisible()
})

test('on the smallest phone the menu is fully visible and its controls are large enough', async () => {
  await page.viewport(320, 640)
  await visit()
  await opener.click()
  await expect.element(menu).toBeVisible()
  // The page follows its new size with the next frame.
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  const controls = () => [opener.element(), ...menu.element().querySelectorAll('select, button')]
  const rectangles = () => controls().map((one) => one.getBoundingClientRect())
  const sides = () => rectangles().flatMap(({ width, height }) => [width, height])
  await expect.poll(() => Math.min(...sides())).toBeGreaterThanOrEqual(44)
  const edges = () => menu.element().getBoundingClientRect()
  await expect.poll(() => edges().left >= 0 && edges().right <= 320).toBe(true)
})

test('leaving the page with the menu open ends the measuring', async () => {
  const fake = await visit()
  const stop = vi.fn()
  fake.camera.measure = () => stop
  await opener.click()
  await expect.element(meter).toBeVisible()
  unmount()
  expect(stop).toHaveBeenCalledOnce()
})

test('sounds are off by default, and one is played when they are turned on', async () => {
  const { stores, played } = await visit()
  stores.sounds.play('match')
  expect(played).toEqual([])
  await opener.click()
  const sounds = menu.getByRole('switch', { name: 'Sounds' })
  await expect.element(sounds).not.toBeChecked()
  await expect.element(sounds).toHaveAccessibleDescription(/short tone/)
  await sounds.click()
  await expect.element(sounds).toBeChecked()
  stores.sounds.play('match')
  expect(played).toEqual(['message', 'match'])
  await sounds.click()
  stores.sounds.play('match')
  expect(played).toEqual(['message', 'match'])
})

const picture = menu.getByRole('combobox', { name: 'Picture and data' })

test('picture and data have four choices, each with an explanation, and the chosen one is stored', async () => {
  const { stores } = await visit()
  await opener.click()
  expect(optionsOf('Picture and data')).toEqual(['Best picture', 'Balanced', 'Data saver', 'Sound only'])
  await expect.element(picture).toHaveValue('best')
  await expect.element(picture).toHaveAccessibleDescription(/As sharp and smooth/)
  const choices = [
    ['Balanced', 'balanced', /with less data/],
    ['Data saver', 'saver', /small picture/],
    ['Sound only', 'sound', /talk without pictures/],
  ] as const
  for (const [name, choice, why] of choices) {
    await picture.selectOptions(name)
    await expect.element(picture).toHaveValue(choice)
    await expect.element(picture).toHaveAccessibleDescription(why)
    expect(stores.pictureChoice.choice.value).toBe(choice)
  }
  await stores.pictureChoice.restore()
  expect(stores.pictureChoice.choice.value).toBe('sound')
})

test('picture and data are chosen by keyboard', async () => {
  await visit()
  await opener.click()
  await expect.element(menu.getByRole('button', { name: 'Done' })).toHaveFocus()
  picture.element().focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(picture).toHaveValue('saver')
})

test('the data of the call are shown in a call alone, in the numbers of the language', async () => {
  const { stores } = await visit(devices, <DeviceButtons />)
  await opener.click()
  const data = menu.getByText(/MB/)
  await expect.element(picture).toBeVisible()
  await expect.element(data).not.toBeInTheDocument()
  stores.dataUse.take({ at: 0, bytesOnWire: 700_000 + 500_000 })
  await expect.element(data).toHaveTextContent('This call: 1.2 MB')
  stores.dataUse.take({ at: 5_000, bytesOnWire: 1_000_000 + 1_500_000 })
  await expect.element(data).toHaveTextContent('This call: 2.5 MB, about 940 MB an hour')
  await stores.texts.choose('es')
  await expect.element(page.getByText('Esta llamada: 2,5 MB, unos 940 MB por hora')).toBeVisible()
  stores.dataUse.stop()
  await expect.element(page.getByText(/MB/)).not.toBeInTheDocument()
})

test('the Android app is offered on Android only, on the dashboard and in this menu', async () => {
  await visit()
  const offer = page.getByRole('button', { name: 'Download Android app' })
  await expect.element(offer).not.toBeInTheDocument()
  unmount()
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 16; Pixel)')
  await visit()
  await offer.click()
  const download = page.getByRole('link', { name: 'Download' })
  await expect.element(download).toHaveAttribute('href', 'https://store.example/waggle')
  await page.getByRole('button', { name: 'Continue on Web' }).click()
  await expect.element(download).not.toBeInTheDocument()
  await opener.click()
  await expect.element(menu.getByRole('button', { name: 'Download Android app' })).toBeVisible()
})
