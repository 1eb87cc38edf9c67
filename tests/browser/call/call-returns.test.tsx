import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { MatchingPage } from '../../../src/call/search/matching-page.tsx'
import { fakeStores, matchId, meet, paintedStream } from '../../support/browser/fake-stores.ts'
import { render, unmount } from '../../support/browser/render.tsx'

afterEach(() => void vi.restoreAllMocks())

async function inCall() {
  const fake = fakeStores()
  await fake.signIn()
  await fake.stores.devices.open()
  meet(fake)
  fake.stores.call.showRemote(paintedStream())
  return { ...fake, ...render(fake.stores, <CallPage />) }
}

function peerVideo(): HTMLVideoElement {
  const element = page.getByLabelText('Peer video').element()
  if (!(element instanceof HTMLVideoElement)) throw new Error('The peer has no video')
  return element
}

test('a video that the system paused resumes by itself', async () => {
  await inCall()
  await expect.poll(() => peerVideo().currentTime).toBeGreaterThan(0)
  peerVideo().pause()
  await expect.poll(() => peerVideo().paused).toBe(false)
})

test('a video that may not resume by itself waits for a tap', async () => {
  await inCall()
  await expect.poll(() => peerVideo().currentTime).toBeGreaterThan(0)
  const play = vi
    .spyOn(HTMLMediaElement.prototype, 'play')
    .mockRejectedValue(new DOMException('Not without a tap', 'NotAllowedError'))
  peerVideo().pause()
  const button = page.getByRole('button', { name: 'Tap to play' })
  await expect.element(button).toBeVisible()
  play.mockRestore()
  await button.click()
  await expect.poll(() => peerVideo().paused).toBe(false)
})

test('a video that stayed paused on a hidden page resumes when the page is visible', async () => {
  await inCall()
  await expect.poll(() => peerVideo().currentTime).toBeGreaterThan(0)
  const play = vi
    .spyOn(HTMLMediaElement.prototype, 'play')
    .mockRejectedValue(new DOMException('The system has it', 'AbortError'))
  peerVideo().pause()
  await expect.poll(() => play.mock.calls.length).toBeGreaterThan(0)
  play.mockRestore()
  expect(peerVideo().paused).toBe(true)
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => peerVideo().paused).toBe(false)
})

test('after Next the focus is on the new screen, where a screen reader starts', async () => {
  await inCall()
  await expect.element(page.getByRole('main', { name: 'Video chat' })).toHaveFocus()
  unmount()
  const { stores } = fakeStores()
  render(stores, <MatchingPage />)
  await expect.element(page.getByRole('main', { name: 'Finding a partner' })).toHaveFocus()
})

test('a screen that opens does not take the focus from another element', async () => {
  const elsewhere = document.createElement('button')
  document.body.append(elsewhere)
  elsewhere.focus()
  await inCall()
  await expect.element(page.getByRole('main')).toBeVisible()
  expect(document.activeElement).toBe(elsewhere)
  elsewhere.remove()
})

test('a page that becomes visible during a wake lock request makes no second request', async () => {
  const granted: WakeLockSentinel[] = []
  const answer = Promise.withResolvers<void>()
  vi.spyOn(navigator.wakeLock, 'request').mockImplementation(async () => {
    await answer.promise
    const lock = Object.assign(new EventTarget(), {
      released: false,
      type: 'screen' as const,
      onrelease: null,
      async release() {
        lock.released = true
      },
    })
    granted.push(lock)
    return lock
  })
  await inCall()
  await expect.poll(() => vi.mocked(navigator.wakeLock.request).mock.calls.length).toBe(1)
  document.dispatchEvent(new Event('visibilitychange'))
  answer.resolve()
  await expect.poll(() => granted.length).toBeGreaterThan(0)
  unmount()
  await expect.poll(() => granted.map(({ released }) => released)).toEqual([true])
})

test('a draft and a dialog of one match are not there in the next, however fast it comes', async () => {
  const { stores } = await inCall()
  const { dispatch } = stores.call
  const next = { matchId: 'match-2', role: 'Callee', peerConnectionId: 'peer-2', at: 0 } as const
  await page.getByLabelText('Message').fill('Only for Béla')
  await page.getByRole('button', { name: 'Report User' }).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  dispatch({ type: 'match-terminated', matchId })
  dispatch({ type: 'match-found', ...next })
  await expect.element(page.getByText('The call is over. You can still report this person.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  expect(stores.call.phase.peek()).toBe('searching')
  dispatch({ type: 'match-found', ...next })
  dispatch({ type: 'video-arrived', matchId: next.matchId })
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByLabelText('Message')).toHaveValue('')
})
