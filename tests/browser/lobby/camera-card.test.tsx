import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { AppError } from '#protocol/errors.ts'
import { MatchingPage } from '../../../src/call/search/matching-page.tsx'
import type { DeviceChange, MediaKind } from '../../../src/devices/ports.ts'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { fakeStores, paintedStream } from '../../support/browser/fake-stores.ts'
import type { World } from '../../support/browser/fake-world.ts'
import { render } from '../../support/browser/render.tsx'

const start = page.getByRole('button', { name: 'Start video chat' })
const title = page.getByRole('heading', { name: 'Turn on your camera and mic for video chat' })
const again = page.getByRole('button', { name: 'Try again' })
const alert = page.getByRole('alert')

async function visit(given: Partial<World>, what: ReactNode = <DashboardPage />) {
  const fake = fakeStores(given)
  await fake.signIn()
  let change: (what: DeviceChange) => void = () => {}
  let happen: (kind: MediaKind, what: 'ended' | 'paused' | 'resumed') => void = () => {}
  fake.camera.onDevices = (listener) => {
    change = listener
    return () => {}
  }
  fake.camera.watch = (_stream, listener) => {
    happen = listener
    return () => {}
  }
  render(fake.stores, what)
  return {
    ...fake,
    change: (what: DeviceChange) => change(what),
    happen: (...args: Parameters<typeof happen>) => happen(...args),
  }
}

test('somebody whom the browser will not ask can start while the camera opens, and has the card if it fails', async () => {
  const { camera, stores } = await visit({ cameraAllowed: true }, null)
  const stream = Promise.withResolvers<MediaStream>()
  camera.open = () => stream.promise
  await expect.poll(() => stores.devices.mayOpen.value).toBe(true)
  render(stores, <DashboardPage />)
  await expect.element(start).toBeEnabled()
  expect(stores.devices.stream.value).toBeNull()
  stream.reject(new AppError('camera-refused', 'No', { trouble: 'busy' }))
  await expect.element(again).toBeVisible()
  await expect.element(start).not.toBeInTheDocument()
})

test('during the permission prompt the card explains its purpose and what to select', async () => {
  const fake = fakeStores()
  await fake.signIn()
  const stream = Promise.withResolvers<MediaStream>()
  fake.camera.open = () => stream.promise
  render(fake.stores, <DashboardPage />)
  await expect.element(title).toBeVisible()
  await expect
    .element(
      page.getByText('Camera and microphone access is required for chat. Select Allow while visiting the site option.'),
    )
    .toBeVisible()
  await expect.element(page.getByRole('img', { name: /the answer Allow .* is marked/ })).toBeVisible()
  stream.resolve(paintedStream())
  await expect.element(start).toBeVisible()
})

test.for([
  [
    'denied',
    'Unable to access camera and microphone. Please reset permissions and try again.',
    /site settings/,
    /Site settings .* reset/,
    true,
  ],
  [
    'dismissed',
    'Your browser asked for camera and microphone, and was not told to allow them.',
    /select Allow while visiting the site/,
    /Allow .* is marked/,
    true,
  ],
  ['busy', 'Your camera or microphone is used by another program.', /Close other video calls/, null, true],
  ['absent', 'No camera or no microphone was found.', /Plug one in/, null, true],
  [
    'insecure',
    'This page was not opened over a secure connection, so the browser keeps camera and microphone closed.',
    /begins with https/,
    null,
    false,
  ],
  ['system', 'Your device does not let the browser use camera or microphone.', /privacy settings/, null, true],
] as const)(
  'a camera that is %s has words, help and a picture of its own',
  async ([trouble, text, help, picture, retry]) => {
    await visit({ cameraRefused: true, trouble })
    await expect.element(title).toBeVisible()
    await expect.element(alert).toHaveTextContent(text)
    await expect.element(page.getByText(help)).toBeVisible()
    expect(
      page
        .getByRole('main')
        .getByRole('img')
        .elements()
        .map((image) => image.getAttribute('aria-label')),
    ).toEqual(picture === null ? [] : [expect.stringMatching(picture)])
    expect(again.elements()).toHaveLength(retry ? 1 : 0)
    await expect.element(start).not.toBeInTheDocument()
  },
)

test.for([
  ['denied', 'permission'],
  ['absent', 'devices'],
  ['busy', 'shown'],
] as const)('a camera that was %s opens by itself after a change of %s', async ([trouble, what]) => {
  const { world, change } = await visit({ cameraRefused: true, trouble })
  await expect.element(alert).toBeVisible()
  world.cameraRefused = false
  change(what)
  await expect.element(start).toBeVisible()
})

test('on the smallest phone the card is fully visible', async () => {
  await page.viewport(320, 640)
  await visit({ cameraRefused: true, trouble: 'system' })
  await expect.element(again).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  expect(again.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
})

test.for([
  ['absent', 'Camera lost. Plug it in or choose another.'],
  ['busy', 'Camera in use by another program.'],
  ['denied', 'Camera blocked. Allow it in the site settings.'],
  ['system', 'Camera blocked by your device. Allow it in the privacy settings.'],
] as const)('a camera lost on the dashboard (%s) is reported until it is back', async ([trouble, text]) => {
  const { camera, change, happen } = await visit({})
  await expect.element(start).toBeVisible()
  const { reopen } = camera
  camera.reopen = () => Promise.reject(new AppError('camera-refused', 'No', { trouble }))
  happen('video', 'ended')
  const note = page.getByRole('status').getByText(text)
  await expect.element(note).toBeVisible()
  camera.reopen = reopen
  // A user who has refused is asked only after another choice.
  change(trouble === 'denied' ? 'permission' : 'devices')
  await expect.element(note).not.toBeInTheDocument()
  await expect.element(start).toBeVisible()
})

test('a microphone that a phone call takes during the search is reported only while it is paused', async () => {
  const fake = await visit({}, <MatchingPage />)
  await fake.stores.devices.open()
  fake.happen('audio', 'paused')
  const note = page.getByRole('status').getByText('Microphone paused. End other calls, or use the mute key.')
  await expect.element(note).toBeVisible()
  fake.happen('audio', 'resumed')
  await expect.element(note).not.toBeInTheDocument()
})
