import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { MatchingPage } from '../../../src/pages/matching/matching-page.tsx'
import { nextRound, type Round } from '../../../src/pages/matching/rounds.ts'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { drawn, render } from '../../support/browser/render.tsx'
import { createDice } from '../../support/dice.ts'

afterEach(() => void vi.useRealTimers())

const faces = () => [...document.querySelectorAll<HTMLImageElement>('img[src^="/faces/64/"]')].map((image) => image.src)

function visit(given?: Parameters<typeof fakeStores>[0]) {
  const fake = fakeStores(given)
  return { ...fake, ...render(fake.stores, <MatchingPage />) }
}

test('opening the page starts the search, and Cancel Matching ends it', async () => {
  const { stores, effects } = visit()
  await expect.element(page.getByRole('heading', { name: 'Finding a partner...' })).toBeVisible()
  await expect.poll(() => effects).toEqual([{ type: 'prepare' }])
  await page.getByRole('button', { name: 'Cancel Matching' }).click()
  expect(stores.call.state.value).toEqual({ phase: 'ended', reason: 'cancel' })
})

test('after a match the nickname of the peer is shown as soon as it is known', async () => {
  const { stores } = visit()
  await expect.poll(() => stores.call.phase.value).toBe('preparing')
  stores.call.dispatch({ type: 'ready' })
  stores.call.dispatch({ type: 'match-found', matchId: 's', role: 'Caller', peerConnectionId: 'p', at: 0 })
  await expect.element(page.getByRole('heading', { name: 'Match found!' })).toBeVisible()
  await expect.element(page.getByText('Calling Anonymous...')).toBeVisible()
  stores.call.dispatch({ type: 'peer-named', peer: { nickName: 'Béla', alias: 'a', userSessionId: 'u' } })
  await expect.element(page.getByText('Calling Béla...')).toBeVisible()
  expect(faces()).toEqual([])
})

/** A grey WebP of one pixel. */
const webp = 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'
const pictures = () => [...document.querySelectorAll<HTMLImageElement>('main img')].map(({ src }) => src)

test('after a match the picture of the peer is shown, until the match ends', async () => {
  const { stores, made } = visit({ peerPicture: webp })
  const defaultFace = new URL('/default-face.svg', location.href).href
  await expect.poll(() => stores.call.phase.value).toBe('preparing')
  stores.call.dispatch({ type: 'ready' })
  stores.call.dispatch({ type: 'match-found', matchId: 's', role: 'Caller', peerConnectionId: 'p', at: 0 })
  await expect.poll(pictures).toEqual([defaultFace, defaultFace])
  expect(made).not.toContain('readMatchPicture')
  stores.call.dispatch({ type: 'description-received', matchId: 's', data: '{}', at: 1 })
  await expect.poll(pictures).toEqual([defaultFace, expect.stringMatching(/^blob:/)])
  const [, shown = ''] = pictures()
  stores.call.dispatch({ type: 'match-terminated', matchId: 's' })
  await expect.poll(pictures).not.toContain(shown)
  await expect(fetch(shown)).rejects.toThrow()
})

test('faces and safety tip change every five seconds, without an announcement to a screen reader', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { runs } = visit()
  // A round's time starts when it is rendered.
  do await drawn()
  while (vi.getTimerCount() === 0)
  const before = { faces: faces(), runs: runs(), spoken: page.getByRole('status').element().textContent }
  expect(before.faces).toHaveLength(7)
  vi.advanceTimersByTime(4_999)
  await drawn()
  expect(faces()).toEqual(before.faces)
  vi.advanceTimersByTime(1)
  do await drawn()
  while (String(faces()) === String(before.faces))
  expect(faces()).toHaveLength(7)
  expect(runs()).toBe(before.runs)
  expect(page.getByRole('status').element().textContent).toBe(before.spoken)
})

test('the data saver shows no faces', async () => {
  visit({ wantsLessData: true })
  await expect.element(page.getByRole('heading', { name: 'Finding a partner...' })).toBeVisible()
  expect(faces()).toEqual([])
})

test('a reconnecting hub is shown', async () => {
  const { stores } = visit()
  await expect.element(page.getByRole('heading', { name: 'Finding a partner...' })).toBeVisible()
  stores.hub.changed('reconnecting')
  await expect.element(page.getByText(/Reconnecting/)).toBeVisible()
  stores.hub.changed('connected')
  await expect.element(page.getByText(/Reconnecting/)).not.toBeInTheDocument()
})

test('a round has seven different faces and never the tip of the round before', () => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  const { next: random } = createDice(seed)
  let round: Round = nextRound(null, random)
  for (let count = 0; count < 200; count += 1) {
    const next = nextRound(round, random)
    expect(new Set(next.faces.map((face) => face.name)).size, `seed ${seed}`).toBe(7)
    expect(next.tip, `seed ${seed}`).not.toBe(round.tip)
    expect(next.tipBefore).toBe(round.tip)
    round = next
  }
})
