import { afterEach, expect, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { AppError } from '#protocol/errors.ts'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { fakeStores, matchId, meet, paintedStream } from '../../support/browser/fake-stores.ts'
import type { World } from '../../support/browser/fake-world.ts'
import { drawn, render } from '../../support/browser/render.tsx'
import { violations } from '../../support/browser/violations.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await emulateScheme('')
})

/** Prefers this scheme; the browser's own if it is empty. */
async function emulateScheme(value: 'dark' | 'light' | ''): Promise<void> {
  await cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })
}

const curtain = page.getByRole('alertdialog', { name: 'This may be nudity.' })
const showAnyway = page.getByRole('button', { name: 'Show anyway' })
const ownNote = page.getByText('The other side may not see this.')
const checkSwitch = page.getByRole('switch', { name: 'Safety check of pictures' })

async function visit(given: Partial<World> = {}) {
  const fake = fakeStores(given)
  await fake.signIn()
  await fake.stores.devices.open()
  meet(fake)
  fake.stores.call.showRemote(paintedStream())
  fake.effects.length = 0
  return { ...fake, ...render(fake.stores, <CallPage />) }
}

function peerVideo(): HTMLVideoElement {
  const video = document.querySelector<HTMLVideoElement>('video[aria-label="Peer video"]')
  if (!video) throw new Error('There is no picture')
  return video
}

const isPainted = () => getComputedStyle(peerVideo()).visibility === 'visible'

async function veiledCall(given: Partial<World> = {}) {
  const fake = await visit(given)
  fake.looks.flags.add('Peer video')
  await expect.element(curtain).toBeVisible()
  return fake
}

/** A second match of the same user. */
async function nextCall({ stores }: ReturnType<typeof fakeStores>): Promise<void> {
  const { dispatch } = stores.call
  dispatch({ type: 'match-terminated', matchId })
  stores.call.showRemote(null)
  dispatch({ type: 'match-found', matchId: 'match-2', role: 'Callee', peerConnectionId: 'peer-2', at: 0 })
  dispatch({ type: 'video-arrived', matchId: 'match-2' })
  stores.call.showRemote(paintedStream())
  await drawn()
}

test('no frame is painted and no sound is played after the second flagged look', async () => {
  const { looks, stores } = await visit()
  let answer = () => {}
  looks.beforeLook = () => new Promise((resolve) => (answer = resolve))
  const peerLooks = () => looks.looked.filter((label) => label === 'Peer video').length
  looks.flags.add('Peer video')
  await expect.poll(peerLooks).toBe(1)
  answer()
  await expect.poll(peerLooks).toBe(2)
  expect([isPainted(), peerVideo().muted]).toEqual([true, false])
  // The callback runs before the first frame after the answer is drawn.
  const frame = new Promise<unknown[]>((resolve) => {
    requestAnimationFrame(() => resolve([isPainted(), peerVideo().muted, stores.curtain.isVeiled.value]))
  })
  answer()
  expect(await frame).toEqual([false, true, true])
  await expect.element(curtain).toBeVisible()
})

test('the curtain has the focus, covers the picture, and Escape does nothing', async () => {
  const { effects } = await veiledCall()
  await expect.element(curtain).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(curtain).toBeVisible()
  expect([effects, isPainted()]).toEqual([[], false])
  await expect.element(page.getByRole('button', { name: 'Picture in a small window' })).not.toBeInTheDocument()
  const { x, y, width, height } = peerVideo().getBoundingClientRect()
  const top = document.elementFromPoint(x + width / 2, y + height / 4)
  expect(top?.closest('[role="alertdialog"]')).not.toBeNull()
})

test('another stream, and one that is brought back, stay hidden and silent', async () => {
  const { stores } = await veiledCall()
  stores.call.showHealth('broken')
  const stream = paintedStream()
  stores.call.showRemote(stream)
  stores.call.showHealth('well')
  await expect.poll(() => peerVideo().srcObject).toBe(stream)
  await expect.poll(() => peerVideo().videoWidth).toBe(320)
  expect([isPainted(), peerVideo().muted]).toEqual([false, true])
  await expect.element(curtain).toBeVisible()
})

test('a veiled call that ends with a warning shows and plays nothing of it', async () => {
  const { stores } = await veiledCall()
  stores.call.dispatch({ type: 'reported-by-peer', matchId })
  await expect.element(page.getByRole('alertdialog', { name: 'Warning: You Have Been Reported' })).toBeVisible()
  expect([isPainted(), peerVideo().muted]).toEqual([false, true])
  await expect.element(showAnyway).not.toBeInTheDocument()
})

test('"Show anyway" shows picture and sound for this call, and not for the next', async () => {
  const fake = await visit()
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.click()
  fake.looks.flags.add('Peer video')
  await expect.element(curtain).toBeVisible()
  await showAnyway.click()
  await expect.element(curtain).not.toBeInTheDocument()
  expect([isPainted(), peerVideo().muted]).toEqual([true, false])
  await expect.element(message).toHaveFocus()
  await nextCall(fake)
  expect(fake.counted).toEqual([
    { model: 'scripted-1', looks: expect.any(Number), flagged: 2, veils: 1, shownAnyway: 1 },
  ])
  await expect.element(curtain).toBeVisible()
})

test('a report of a flagged picture can take along what the safety check saw', async () => {
  const { effects } = await veiledCall()
  await page.getByRole('button', { name: 'Report', exact: true }).click()
  await userEvent.selectOptions(page.getByLabelText('Reason (optional)'), 'May be under 18')
  await userEvent.click(page.getByRole('checkbox', { name: /Send what the safety check saw/ }))
  await page.getByRole('button', { name: 'Ok' }).click()
  const curtain = { model: expect.any(String), looks: expect.any(Number), flagged: 2 }
  expect(effects).toContainEqual(expect.objectContaining({ details: { reason: 'under-18', curtain } }))
})

test('Report opens the dialog of every report, Leave is its Leave now', async () => {
  const { effects } = await veiledCall()
  await page.getByRole('button', { name: 'Report', exact: true }).click()
  await expect.element(page.getByText('Are you sure you want to report:')).toBeVisible()
  expect(effects).toEqual([{ type: 'keep-evidence' }])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(curtain).toBeVisible()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  expect(effects.at(-1)).toEqual({ type: 'leave', reason: 'exit' })
})

test('a small window is closed, shows nothing until it is, and cannot be opened meanwhile', async () => {
  const fake = await visit()
  let closed = () => {}
  const floating = vi.spyOn(document, 'pictureInPictureElement', 'get').mockImplementation(() => peerVideo())
  const exit = vi
    .spyOn(document, 'exitPictureInPicture')
    .mockImplementation(() => new Promise((resolve) => (closed = resolve)))
  const enabled = () => fake.stores.call.remote.value?.getVideoTracks().map((track) => track.enabled)
  fake.looks.flags.add('Peer video')
  await expect.element(curtain).toBeVisible()
  expect([exit.mock.calls.length, enabled(), peerVideo().disablePictureInPicture]).toEqual([1, [false], true])
  floating.mockReturnValue(null)
  closed()
  await expect.poll(enabled).toEqual([true])
  await showAnyway.click()
  expect(peerVideo().disablePictureInPicture).toBe(false)
})

test('a small window that opens behind the veil shows nothing, also if the browser does not close it', async () => {
  const fake = await veiledCall()
  const enabled = () => fake.stores.call.remote.value?.getVideoTracks().map((track) => track.enabled)
  const floating = vi.spyOn(document, 'pictureInPictureElement', 'get').mockImplementation(() => peerVideo())
  vi.spyOn(document, 'exitPictureInPicture').mockRejectedValue(new Error('not now'))
  peerVideo().dispatchEvent(new Event('enterpictureinpicture'))
  await drawn()
  expect(enabled()).toEqual([false])
  floating.mockReturnValue(null)
  peerVideo().dispatchEvent(new Event('leavepictureinpicture'))
  expect(enabled()).toEqual([true])
})

test('the user is told at the own picture that the peer may not see it, and no more', async () => {
  const { looks, effects, made } = await visit()
  const before = made.length
  looks.flags.add('My video')
  await expect.element(ownNote).toBeVisible()
  await expect.element(curtain).not.toBeInTheDocument()
  looks.flags.clear()
  await expect.element(ownNote).not.toBeInTheDocument()
  expect([effects, made.slice(before).filter((name) => name !== 'readMatchPicture')]).toEqual([[], []])
})

test('the switch in the menu of the call ends the check and its worker', async () => {
  const { looks } = await visit()
  await expect.poll(() => looks.looked.length).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Camera and sound' }).click()
  await expect.element(checkSwitch).toBeChecked()
  await checkSwitch.click()
  await expect.element(checkSwitch).not.toBeChecked()
  expect(looks.running).toBe(0)
  await checkSwitch.click()
  await expect.poll(() => looks.running).toBe(1)
})

test('a device that is not strong enough is offered the check, which is off', async () => {
  const { looks } = await visit({ cores: 2 })
  await page.getByRole('button', { name: 'Camera and sound' }).click()
  await expect.element(checkSwitch).not.toBeChecked()
  expect(looks.starts).toBe(0)
})

test.each([
  ['curtain-no-simd', 'This browser is too old for the check. Calls go on without it.'],
  ['curtain-model-missing', 'The check could not be loaded. Calls go on without it.'],
  ['curtain-model-damaged', 'The check arrived damaged, so it is not used. Calls go on without it.'],
  ['curtain-too-slow', 'Your device is too slow for the check. Calls go on without it.'],
  ['worker-died', 'The check stopped because of a fault. The call goes on without it.'],
] as const)('after %s the call goes on, and the menu says why there is no check', async (code, text) => {
  const fake = fakeStores()
  fake.looks.start = () => Promise.reject(new AppError(code))
  await fake.signIn()
  await fake.stores.devices.open()
  meet(fake)
  fake.stores.call.showRemote(paintedStream())
  render(fake.stores, <CallPage />)
  await page.getByRole('button', { name: 'Camera and sound' }).click()
  await expect.element(page.getByText(text)).toBeVisible()
  expect(fake.stores.call.phase.value).toBe('in-call')
})

test.each([
  [320, 568],
  [390, 844],
  [1280, 800],
] as const)(
  'at %i x %i everything of the curtain can be read and pressed, and axe finds nothing',
  async (width, height) => {
    await page.viewport(width, height)
    const { stores } = await veiledCall()
    for (const language of ['en', 'es'] as const) {
      await stores.texts.choose(language)
      await drawn()
      const box = document.querySelector('[role="alertdialog"]')
      for (const button of box?.querySelectorAll('button') ?? []) {
        const { x, y, width: wide, height: high } = button.getBoundingClientRect()
        expect(document.elementFromPoint(x + wide / 2, y + high / 2)?.closest('button')).toBe(button)
        expect([x >= 0, x + wide <= innerWidth, high >= 44]).toEqual([true, true, true])
      }
      expect(box?.querySelectorAll('button')).toHaveLength(3)
      for (const scheme of ['dark', 'light'] as const) {
        await emulateScheme(scheme)
        expect(await violations('#root')).toEqual([])
      }
    }
  },
)
