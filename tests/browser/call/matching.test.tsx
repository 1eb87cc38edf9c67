import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { LONG_SEARCH_MS } from '#protocol/constants.ts'
import { MatchingPage } from '../../../src/call/search/matching-page.tsx'
import { nextRound, type Round } from '../../../src/call/search/rounds.ts'
import { Toasts } from '../../../src/ui/toasts.tsx'
import { fakeStores, matchId, meet } from '../../support/browser/fake-stores.ts'
import { drawn, render, unmount } from '../../support/browser/render.tsx'
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
  const { stores } = visit({ peerPicture: webp })
  const defaultFace = new URL('/default-face.svg', location.href).href
  await expect.poll(() => stores.call.phase.value).toBe('preparing')
  stores.call.dispatch({ type: 'ready' })
  stores.call.dispatch({ type: 'match-found', matchId: 's', role: 'Caller', peerConnectionId: 'p', at: 0 })
  await expect.poll(pictures).toEqual([defaultFace, expect.stringMatching(/^blob:/)])
  const [, shown = ''] = pictures()
  stores.call.dispatch({ type: 'match-terminated', matchId: 's' })
  await expect.poll(pictures).not.toContain(shown)
  await expect(fetch(shown)).rejects.toThrow()
})

test('the peer of the call that has just ended can be reported, also when the next call begins', async () => {
  const fake = fakeStores()
  const { stores, effects } = fake
  meet(fake, 'Béla')
  stores.call.dispatch({ type: 'match-terminated', matchId })
  render(stores, <MatchingPage />)
  const button = page.getByRole('button', { name: 'Report Béla' })
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to report:' })
  await button.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await button.click()
  await expect.element(dialog.getByText('Béla')).toBeVisible()
  stores.call.dispatch({ type: 'match-found', matchId: 'next', role: 'Caller', peerConnectionId: 'p', at: 0 })
  await dialog.getByRole('button', { name: 'Ok' }).click()
  expect(effects.filter(({ type }) => type === 'report')).toEqual([
    { type: 'report', matchId, peerConnectionId: 'peer-1', report: 'ReportOnly', details: undefined },
  ])
  await expect.element(button).not.toBeInTheDocument()
  expect(stores.call.phase.value).toBe('connecting')
})

test.for([
  [1280, 800],
  [390, 844],
] as const)('at %i x %i the bottom popup covers no button after a call', async ([width, height]) => {
  const { innerWidth, innerHeight } = window
  onTestFinished(() => page.viewport(innerWidth, innerHeight))
  await page.viewport(width, height)
  const fake = fakeStores()
  meet(fake, 'Béla')
  fake.stores.call.dispatch({ type: 'match-terminated', matchId })
  fake.stores.toasts.show('toasts.peer-left', { nickName: 'Béla' })
  render(
    fake.stores,
    <>
      <MatchingPage />
      <Toasts />
    </>,
  )
  const popup = page.getByText('Béla has left the chat.')
  await expect.element(popup).toBeVisible()
  const { top } = popup.element().parentElement?.getBoundingClientRect() ?? expect.fail('no popup')
  for (const button of page.getByRole('main').getByRole('button').elements())
    expect(button.getBoundingClientRect().bottom).toBeLessThanOrEqual(top)
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

/** A search of which the hub has told how many others search. */
async function search(others: number | null, given?: Parameters<typeof fakeStores>[0]) {
  const all = visit(given)
  await expect.poll(() => all.stores.call.phase.value).toBe('preparing')
  all.stores.hub.changed('connected')
  all.stores.call.dispatch({ type: 'ready' })
  if (others !== null) all.stores.search.takeSize(others)
  return all
}

const callMeBack = page.getByRole('button', { name: 'Call me back' })

test.for([
  [0, 'You are the only one here right now.'],
  [1, '1 other is searching.'],
  [99, '99 others are searching.'],
  [100, 'At least 100 others are searching.'],
  [1_000, 'At least 1,000 others are searching.'],
] as const)('with %i others it says: %s', async ([others, text]) => {
  await search(others)
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
})

test('the number is announced when somebody comes and when nobody is left, not at each change', async () => {
  const { stores } = await search(0)
  const said = async (text: string) => {
    await expect.element(page.getByText(text, { exact: true })).toBeVisible()
    return page.getByText(text, { exact: true }).element().getAttribute('aria-live')
  }
  expect(await said('You are the only one here right now.')).toBe('polite')
  stores.search.takeSize(1)
  expect(await said('1 other is searching.')).toBe('polite')
  stores.search.takeSize(2)
  expect(await said('2 others are searching.')).toBe('off')
  // Around the number from which on the hub tells how many speak the same language.
  stores.search.takeSize(20, 10)
  const speaking = page.getByText(/^20 others are searching\. ./)
  await expect.element(speaking).toBeVisible()
  expect(speaking.element().getAttribute('aria-live')).toBe('off')
  stores.search.takeSize(20)
  expect(await said('20 others are searching.')).toBe('off')
  stores.search.takeSize(0)
  expect(await said('You are the only one here right now.')).toBe('polite')
})

test('while the hub is away, no number is shown', async () => {
  const { stores } = await search(3)
  await expect.element(page.getByText('3 others are searching.')).toBeVisible()
  stores.hub.changed('reconnecting')
  await expect.element(page.getByText('3 others are searching.')).not.toBeInTheDocument()
})

test('after a minute without a match it offers to call back and leads to the dashboard', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { stores } = visit()
  do await drawn()
  while (stores.call.phase.value !== 'preparing')
  stores.hub.changed('connected')
  stores.call.dispatch({ type: 'ready' })
  stores.search.takeSize(0)
  do await drawn()
  while (!document.body.textContent?.includes('You are the only one here right now.'))
  vi.advanceTimersByTime(LONG_SEARCH_MS - 1)
  await drawn()
  expect(document.body.textContent).toContain('You are the only one here right now.')
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  const offer = page.getByText('Nobody is here right now. We can call you when somebody comes.', { exact: true })
  await expect.element(offer).toBeVisible()
  stores.search.takeSize(2)
  await expect.element(page.getByText('2 others are searching. We can call you when somebody comes.')).toBeVisible()
  await page.getByRole('button', { name: 'Back to the dashboard' }).click()
  expect(stores.call.state.value).toEqual({ phase: 'ended', reason: 'cancel' })
})

test('Call me back notifies a user who looks elsewhere, and a tap switches it off', async () => {
  const { stores, look, notifications } = await search(0)
  await callMeBack.click()
  await expect.element(page.getByText(/We will call you when somebody comes/)).toBeVisible()
  await expect.element(callMeBack).toHaveAttribute('aria-pressed', 'true')
  look(true)
  stores.call.dispatch({ type: 'match-found', matchId: 's', role: 'Caller', peerConnectionId: 'p', at: 0 })
  expect(notifications).toEqual(['Match found!'])
  await expect.poll(() => document.title).toMatch(/^Match found/)
  look(false)
  expect(notifications).toEqual([])
  stores.call.dispatch({ type: 'match-terminated', matchId: 's' })
  await callMeBack.click()
  await expect.element(callMeBack).toHaveAttribute('aria-pressed', 'false')
  look(true)
  stores.call.dispatch({ type: 'match-found', matchId: 't', role: 'Caller', peerConnectionId: 'p', at: 0 })
  expect(notifications).toEqual([])
})

test('a browser that blocks notifications is explained, and one without them shows no button', async () => {
  await search(0, { notifications: 'denied' })
  await callMeBack.click()
  await expect.element(page.getByText(/Your browser blocks notifications here/)).toBeVisible()
  unmount()
  await search(0, { notifications: null })
  await expect.element(page.getByText('You are the only one here right now.')).toBeVisible()
  await expect.element(callMeBack).not.toBeInTheDocument()
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
