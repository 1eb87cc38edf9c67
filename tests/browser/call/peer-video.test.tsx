import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Stores } from '../../../src/app/stores.ts'
import { governorStart } from '../../../src/call/rules/governor.ts'
import { acceptedMedia } from '../../../src/call/rules/send-ladder.ts'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { fakeStores, meet, paintedStream, stillStream } from '../../support/browser/fake-stores.ts'
import { render, unmount } from '../../support/browser/render.tsx'
import { sampleAt } from '../../support/call/call-sample.ts'

afterEach(() => void vi.restoreAllMocks())

const veil = page.getByRole('button', { name: 'Tap to see clearly' })
const float = page.getByRole('button', { name: 'Picture in a small window' })

const limitedPeer = {
  limit: async () => {},
  delayPlayback: () => {},
  tell: () => {},
  measure: () => {},
  restoreSize: async () => {},
}

/** The peer is of a version that says whether its camera is off. */
function hearOfCamera({ quality }: Stores, cameraOff: boolean): void {
  quality.hear({ noPicture: null, stills: false, cameraOff, accepts: acceptedMedia(governorStart, 'best') })
  quality.take(sampleAt(1), limitedPeer)
}

function blurred(): boolean {
  return getComputedStyle(page.getByLabelText('Peer video').element()).filter.includes('blur')
}

/** Whether something opaque hides the middle of the picture. */
function isCovered(): boolean {
  const video = page.getByLabelText('Peer video').element()
  const { x, y, width, height } = video.getBoundingClientRect()
  const stacked = document.elementsFromPoint(x + width / 2, y + height / 2)
  const above = stacked.slice(0, stacked.indexOf(video))
  return above.some((one) => /^rgb\(/.test(getComputedStyle(one).backgroundColor))
}

async function visit() {
  const fake = fakeStores()
  await fake.signIn()
  await fake.stores.devices.open()
  meet(fake)
  fake.stores.call.showRemote(paintedStream())
  return { ...fake, ...render(fake.stores, <CallPage />) }
}

test('a picture is blurred until a tap', async () => {
  const { stores } = await visit()
  stores.call.showRemote(stillStream())
  await expect.element(veil).toBeVisible()
  expect(blurred()).toBe(true)
  await expect.element(float).not.toBeInTheDocument()
  await veil.click()
  await expect.element(veil).not.toBeInTheDocument()
  await expect.poll(blurred).toBe(false)
})

test('a picture that goes on becomes clear by itself, and the next one starts blurred', async () => {
  const { stores } = await visit()
  await expect.element(veil).toBeVisible()
  await expect.poll(blurred).toBe(false)
  await expect.element(veil).not.toBeInTheDocument()
  stores.call.showRemote(paintedStream())
  await expect.element(veil).toBeVisible()
  expect(blurred()).toBe(true)
})

test('a picture that stands still stays blurred', async () => {
  const { stores } = await visit()
  stores.call.showRemote(stillStream())
  const moving = document.createElement('video')
  moving.srcObject = paintedStream()
  moving.muted = true
  await moving.play()
  // More than the time after which a moving picture is clear.
  await expect.poll(() => moving.currentTime).toBeGreaterThan(3)
  moving.srcObject = null
  expect(blurred()).toBe(true)
})

test.each([
  ['network', "Béla's network is slow: sound only."],
  ['choice', 'Béla chose sound only.'],
  ['peer', 'You chose sound only.'],
  ['camera-off', "Béla's camera is off."],
] as const)('a peer who sends no picture (%s) is shown as a face, with the reason', async (reason, text) => {
  const { stores } = await visit()
  const accepts = acceptedMedia(governorStart, 'best')
  const said = reason === 'camera-off' ? { noPicture: null, cameraOff: true } : { noPicture: reason }
  stores.quality.hear({ ...said, stills: false, accepts })
  stores.quality.take(sampleAt(1), limitedPeer)
  await expect.element(page.getByText(text)).toBeVisible()
  const face = page
    .getByLabelText('Peer video')
    .element()
    .parentElement?.querySelector('[role="status"] > * > img[src="/default-face.svg"]')
  expect(face?.checkVisibility()).toBe(true)
  expect(isCovered()).toBe(true)
  stores.quality.stop()
  await expect.element(page.getByText(text)).not.toBeInTheDocument()
  expect(face?.isConnected).toBe(false)
})

test('a peer whose picture does not move is shown with the reason, and without a face', async () => {
  const { stores } = await visit()
  stores.quality.hear({ noPicture: null, stills: true, accepts: acceptedMedia(governorStart, 'best') })
  stores.quality.take(sampleAt(1), limitedPeer)
  await expect.element(page.getByText("Béla's network is slow: one picture a second.")).toBeVisible()
  const frame = page.getByLabelText('Peer video').element().parentElement
  expect(frame?.querySelector('[role="status"] > * > img[src="/default-face.svg"]')).toBeNull()
  stores.quality.hear({ noPicture: null, stills: false, accepts: acceptedMedia(governorStart, 'best') })
  stores.quality.take(sampleAt(2), limitedPeer)
  await expect.element(page.getByText("Béla's network is slow: one picture a second.")).not.toBeInTheDocument()
})

test('a user whose network carries stills only sees that too', async () => {
  const { stores } = await visit()
  const slow = { limitedBy: 'bandwidth', availableKbps: 35 } as const
  for (let second = 1; second < 15; second += 1) stores.quality.take(sampleAt(second, slow), limitedPeer)
  await expect.element(page.getByText('Your network is slow: one picture a second is sent.')).toBeVisible()
})

test.each([
  ['black', 'This picture is black. You can press Next match without waiting.', 'other'],
  ['still', /^Nothing has moved in this picture for a while\./, 'spam'],
  ['looped', /^This picture repeats itself\. It may be a recording\./, 'spam'],
] as const)(
  'a picture that is %s is explained, Next need not wait, and one press reports it',
  async (shows, text, reason) => {
    const { stores, effects } = await visit()
    const next = page.getByRole('button', { name: /^Next match/ })
    await expect.element(next).toBeDisabled()
    hearOfCamera(stores, false)
    stores.pictureStates.judged('peer', shows)
    const note = page.getByText(text)
    await expect.element(note).toBeVisible()
    expect(note.element().closest('[role="status"]')?.querySelector('button')).toBeNull()
    await expect.element(next).toBeEnabled()
    await expect.element(page.getByRole('button', { name: 'Exit' })).toBeVisible()
    await page.getByRole('button', { name: 'Report this picture' }).click()
    expect(stores.call.phase.value).toBe('searching')
    expect(effects.find(({ type }) => type === 'report')).toMatchObject({ report: 'ReportOnly', details: { reason } })
  },
)

test('what is said of the picture has a place before there is anything to say, or it is not announced', async () => {
  const { stores } = await visit()
  const video = page.getByLabelText('Peer video')
  const region = () => video.query()?.parentElement?.querySelector('div[role="status"]')
  await expect.poll(() => region()?.checkVisibility()).toBe(true)
  const before = region()
  expect(before?.childElementCount).toBe(0)
  stores.pictureStates.judged('peer', 'still')
  await expect.element(page.getByText(/^Nothing has moved in this picture/)).toBeVisible()
  expect(region()).toBe(before)
})

test('a black picture of a peer who says that the camera is off is no fault', async () => {
  const { stores } = await visit()
  hearOfCamera(stores, false)
  stores.pictureStates.judged('peer', 'black')
  await expect.element(page.getByRole('button', { name: 'Report this picture' })).toBeVisible()
  hearOfCamera(stores, true)
  await expect.element(page.getByText("Béla's camera is off.")).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Report this picture' })).not.toBeInTheDocument()
})

test('a fault of the own picture is said over it, and not while the camera is off', async () => {
  const { stores } = await visit()
  stores.pictureStates.judged('own', 'still')
  const note = page.getByText('Your picture does not move. Choose another camera.')
  await expect.element(note).toBeVisible()
  expect(note.element().closest('[role="status"]')).not.toBeNull()
  stores.devices.toggleCamera()
  await expect.element(note).not.toBeInTheDocument()
})

test('a picture that stands still is explained, unless the peer said why it sends none', async () => {
  const { stores } = await visit()
  const frozen = page.getByText('The picture is paused. You can still talk.')
  stores.call.showHealth('frozen')
  await expect.element(frozen).toBeVisible()
  stores.quality.hear({ noPicture: 'network', stills: false, accepts: acceptedMedia(governorStart, 'best') })
  stores.quality.take(sampleAt(1), limitedPeer)
  await expect.element(page.getByText(/sound only\.$/)).toBeVisible()
  await expect.element(frozen).not.toBeInTheDocument()
  stores.quality.stop()
  await expect.element(frozen).toBeVisible()
})

test('a call that is being brought back says that alone', async () => {
  const { stores } = await visit()
  stores.quality.hear({ noPicture: 'network', stills: false, accepts: acceptedMedia(governorStart, 'best') })
  const choked = { limitedBy: 'bandwidth', availableKbps: 20 } as const
  for (let second = 1; second < 15; second += 1) stores.quality.take(sampleAt(second, choked), limitedPeer)
  const notes = () => [...document.querySelectorAll('[role="status"] p')].map(({ textContent }) => textContent)
  await expect.poll(notes).toHaveLength(2)
  stores.call.showHealth('broken')
  await expect.poll(notes).toEqual(['Reconnecting...'])
})

test('a user whose network carries sound only sees that too', async () => {
  const { stores } = await visit()
  const choked = { limitedBy: 'bandwidth', availableKbps: 20 } as const
  for (let second = 1; second < 15; second += 1) stores.quality.take(sampleAt(second, choked), limitedPeer)
  await expect.element(page.getByText('Your network is slow: only your sound is sent.')).toBeVisible()
})

test('the small window has a button once the picture is clear, and a notice shows when it cannot be opened', async () => {
  const open = vi
    .spyOn(HTMLVideoElement.prototype, 'requestPictureInPicture')
    .mockRejectedValueOnce(new DOMException('Not now', 'NotAllowedError'))
  const { stores } = await visit()
  await float.click()
  expect(open).toHaveBeenCalledOnce()
  await expect.poll(() => stores.toasts.popup.value?.text).toBe('toasts.no-small-window')
})

test('a browser without small windows and without a lock for its screen shows the call, and offers none', async () => {
  vi.spyOn(document, 'pictureInPictureEnabled', 'get').mockReturnValue(false)
  vi.spyOn(Navigator.prototype, 'wakeLock', 'get').mockReturnValue(undefined as never)
  await visit()
  await expect.poll(blurred).toBe(false)
  await expect.element(veil).not.toBeInTheDocument()
  await expect.element(float).not.toBeInTheDocument()
})

test('the screen stays on for as long as the call is shown', async () => {
  const released: boolean[] = []
  const request = vi.spyOn(navigator.wakeLock, 'request').mockImplementation(async () => {
    const lock = Object.assign(new EventTarget(), {
      released: false,
      type: 'screen' as const,
      onrelease: null,
      async release() {
        lock.released = true
        released.push(true)
      },
    })
    return lock
  })
  await visit()
  await expect.poll(() => request.mock.calls.length).toBe(1)
  // Nothing more is asked for while the lock holds.
  document.dispatchEvent(new Event('visibilitychange'))
  expect(request).toHaveBeenCalledTimes(1)
  unmount()
  await expect.poll(() => released).toEqual([true])
})
