import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { nearestCorner } from '../../../src/call/screens/self-view.tsx'
import { fakeStores, matchId, meet, paintedStream, tick } from '../../support/browser/fake-stores.ts'
import { render, unmount } from '../../support/browser/render.tsx'

afterEach(() => void vi.restoreAllMocks())

const next = page.getByRole('button', { name: /^Next match/ })
const exit = page.getByRole('button', { name: 'Exit' })
const dialog = page.getByRole('dialog')
const understood = page.getByRole('button', { name: /Understood/ })

async function visit() {
  const fake = fakeStores()
  await fake.signIn()
  await fake.stores.devices.open()
  meet(fake)
  fake.stores.call.showRemote(paintedStream())
  fake.effects.length = 0
  return { ...fake, ...render(fake.stores, <CallPage />) }
}

function videoOf(label: string): HTMLVideoElement {
  const video = page.getByLabelText(label).element()
  if (!(video instanceof HTMLVideoElement)) throw new Error(`${label} is no video`)
  return video
}

test('the countdown changes its text alone', async () => {
  const fake = await visit()
  await expect.element(next).toHaveTextContent('Next match in 10')
  await expect.element(page.getByText('Waiting for the picture')).not.toBeInTheDocument()
  const before = fake.runs()
  tick(fake, 1)
  await expect.element(next).toHaveTextContent('Next match in 9')
  tick(fake, 8)
  await expect.element(next).toHaveTextContent('Next match in 1')
  expect(fake.runs()).toBe(before)
})

test('Next and Exit wait for the end of the countdown', async () => {
  const fake = await visit()
  await expect.element(next).toBeDisabled()
  await expect.element(exit).not.toBeInTheDocument()
  tick(fake, 9)
  await expect.element(next).toBeDisabled()
  await expect.element(exit).not.toBeInTheDocument()
  tick(fake, 1)
  await expect.element(exit).toBeVisible()
  await expect.element(next).toBeEnabled()
  expect(next.element().textContent).toBe('Next match')
  await next.click()
  expect(fake.effects).toContainEqual({ type: 'terminate', matchId })
  expect(fake.stores.call.phase.value).toBe('searching')
})

test('Exit ends the visit', async () => {
  const fake = await visit()
  await expect.element(next).toBeVisible()
  tick(fake, 10)
  await exit.click()
  expect(fake.effects).toContainEqual({ type: 'leave', reason: 'exit' })
})

test('a spinner shows until the first frame, and leaving empties both videos', async () => {
  const fake = await visit()
  await expect.element(page.getByLabelText('Peer video')).toBeVisible()
  const videos = [videoOf('Peer video'), videoOf('My video')]
  await expect.poll(() => videos.map((video) => video.videoWidth)).toEqual([320, 320])
  await expect.element(page.getByText('Waiting for the picture')).not.toBeInTheDocument()

  fake.stores.call.showRemote(document.createElement('canvas').captureStream())
  await expect.element(page.getByText('Waiting for the picture')).toBeInTheDocument()
  fake.stores.call.showRemote(paintedStream())
  await expect.element(page.getByText('Waiting for the picture')).not.toBeInTheDocument()

  expect(videos.map((video) => video.muted)).toEqual([false, true])
  unmount()
  expect(videos.map((video) => video.srcObject)).toEqual([null, null])
})

test('where the browser wants a tap before it plays sound, there is a button', async () => {
  const play = vi
    .spyOn(HTMLMediaElement.prototype, 'play')
    .mockRejectedValueOnce(new DOMException('A tap first', 'NotAllowedError'))
  await visit()
  const tap = page.getByRole('button', { name: 'Tap to play' })
  await expect.element(tap).toBeVisible()
  play.mockRestore()
  await tap.click()
  await expect.element(tap).not.toBeInTheDocument()
  await expect.poll(() => videoOf('Peer video').paused).toBe(false)
})

test('a report is "report only" unless the user chooses otherwise', async () => {
  const { effects } = await visit()
  await page.getByRole('button', { name: 'Report User' }).click()
  await expect.element(dialog.getByText('Are you sure you want to report:')).toBeVisible()
  await expect.element(dialog.getByText('Béla', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('radio', { name: /Report only:/ })).toBeChecked()
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(effects.slice(0, 2)).toEqual([
    { type: 'keep-evidence' },
    { type: 'report', matchId, peerConnectionId: 'peer-1', report: 'ReportOnly' },
  ])
})

test('a report leaves nothing of the call on the screen in the same frame', async () => {
  const { stores } = await visit()
  await page.getByRole('button', { name: 'Report User' }).click()
  await expect.element(dialog).toBeVisible()
  const video = videoOf('Peer video')
  const ok = page.getByRole('button', { name: 'Ok' }).element()
  // The callback runs before the first frame after the click is drawn.
  const frame = new Promise((resolve) => requestAnimationFrame(resolve))
  if (ok instanceof HTMLElement) ok.click()
  stores.call.showRemote(null)
  await frame
  expect([video.srcObject, video.isConnected]).toEqual([null, false])
  expect(document.querySelector('dialog, aside, button')).toBeNull()
})

test('the report dialog says that the two will not meet again, and lets the user leave at once without a report', async () => {
  const { effects } = await visit()
  await page.getByRole('button', { name: 'Report User' }).click()
  await expect.element(dialog.getByText(/^With either option you will not be matched/)).toBeVisible()
  await page.getByRole('button', { name: 'Leave now' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(effects.map(({ type }) => type)).not.toContain('report')
  expect(effects.at(-1)).toEqual({ type: 'leave', reason: 'exit' })
})

test('when the peer has left, no greeting and no button stays until the next screen is here', async () => {
  const { stores } = await visit()
  await expect.element(page.getByText(/^Say hello to/)).toBeVisible()
  stores.call.dispatch({ type: 'match-terminated', matchId })
  await expect.element(next).not.toBeInTheDocument()
  await expect.element(page.getByText(/^Say hello to/)).not.toBeInTheDocument()
})

test('blocking is reported as chosen, and Cancel reports nothing', async () => {
  const { effects } = await visit()
  const report = page.getByRole('button', { name: 'Report User' })
  await report.click()
  await page.getByRole('radio', { name: /Block & Report:/ }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(effects).toEqual([{ type: 'keep-evidence' }, { type: 'forget-evidence' }])
  await report.click()
  await expect.element(page.getByRole('radio', { name: /Report only:/ })).toBeChecked()
  await page.getByRole('radio', { name: /Block & Report:/ }).click()
  await page.getByRole('button', { name: 'Ok' }).click()
  expect(effects.slice(2, 4)).toEqual([
    { type: 'keep-evidence' },
    { type: 'report', matchId, peerConnectionId: 'peer-1', report: 'BlockAndReport' },
  ])
})

test('a reported user must wait before the warning can be acknowledged', async () => {
  const fake = await visit()
  await expect.element(next).toBeVisible()
  fake.stores.call.dispatch({ type: 'reported-by-peer', matchId })
  const warning = page.getByRole('alertdialog', { name: 'Warning: You Have Been Reported' })
  await expect.element(warning).toBeVisible()
  await expect.element(understood).toBeDisabled()
  await expect.element(understood).toHaveTextContent('Understood (10)')
  tick(fake, 1)
  await expect.element(understood).toHaveTextContent('Understood (9)')
  const before = fake.runs()
  tick(fake, 8)
  await expect.element(understood).toHaveTextContent('Understood (1)')
  expect(fake.runs()).toBe(before)
  await userEvent.keyboard('{Escape}{Escape}')
  await expect.element(warning).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'View Guidelines' })).not.toBeInTheDocument()

  tick(fake, 1)
  await expect.element(understood).toBeEnabled()
  expect(understood.element().textContent).toBe('Understood')
  await page.getByRole('button', { name: 'View Guidelines' }).click()
  await expect.element(page.getByTestId('address')).toHaveTextContent('/terms-of-service')
  await understood.click()
  await expect.element(warning).not.toBeInTheDocument()
  expect(fake.stores.call.phase.value).toBe('searching')
})

test('nothing behind a warning mentions the peer who is gone', async () => {
  const { stores } = await visit()
  const veil = page.getByText('Tap to see clearly')
  const greeting = page.getByText(/^Say hello to/)
  await expect.element(veil).toBeInTheDocument()
  await expect.element(greeting).toBeInTheDocument()
  stores.call.dispatch({ type: 'reported-by-peer', matchId })
  stores.call.showRemote(null)
  await expect.element(veil).not.toBeInTheDocument()
  await expect.element(greeting).not.toBeInTheDocument()
})

test('the own picture moves to any corner by arrow keys and by dragging', async () => {
  await page.viewport(1280, 800)
  await visit()
  await expect.element(page.getByLabelText('My video')).toBeVisible()
  const grip = page.getByRole('button', { name: 'Move your picture with the arrow keys' }).element()
  const stage = page.getByRole('region', { name: 'Pictures' }).element()
  const corner = () => {
    const { left, top, width, height } = grip.getBoundingClientRect()
    return nearestCorner(left + width / 2, top + height / 2, stage.getBoundingClientRect())
  }
  expect(corner()).toEqual({ vertical: 'bottom', horizontal: 'right' })
  if (grip instanceof HTMLElement) grip.focus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.poll(corner).toEqual({ vertical: 'bottom', horizontal: 'left' })
  await userEvent.keyboard('{ArrowUp}')
  await expect.poll(corner).toEqual({ vertical: 'top', horizontal: 'left' })
  await userEvent.dragAndDrop(grip, stage, {
    targetPosition: { x: stage.clientWidth - 200, y: stage.clientHeight - 200 },
  })
  const gaps = () => {
    const [picture, around] = [grip.getBoundingClientRect(), stage.getBoundingClientRect()]
    return [around.right - picture.right, around.bottom - picture.bottom]
  }
  await expect.poll(gaps).toEqual([12, 12])
})
