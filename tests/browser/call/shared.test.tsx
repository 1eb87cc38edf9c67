import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Shared } from '#protocol/hub.ts'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { MatchingPage } from '../../../src/call/search/matching-page.tsx'
import { fakeStores, meet } from '../../support/browser/fake-stores.ts'
import { drawn, render } from '../../support/browser/render.tsx'

async function search() {
  const { stores } = fakeStores()
  render(stores, <MatchingPage />)
  await expect.poll(() => stores.call.phase.value).toBe('preparing')
  stores.hub.changed('connected')
  stores.call.dispatch({ type: 'ready' })
  return stores
}

async function findMatch(shared?: Shared) {
  const stores = await search()
  stores.call.dispatch({ type: 'match-found', matchId: 's', role: 'Caller', peerConnectionId: 'p', at: 0, shared })
  await expect.element(page.getByRole('heading', { name: 'Match found!' })).toBeVisible()
  return stores
}

test('Match found says what both share, and the next search forgets it', async () => {
  const { call, texts } = await findMatch({ languages: ['es'], interests: ['chess'] })
  const state = page.getByRole('status')
  await expect.element(state.getByText('You both speak Spanish and like chess.')).toBeVisible()
  await texts.choose('es')
  await expect.element(state.getByText('Los dos habláis español y compartís el gusto por chess.')).toBeVisible()
  call.dispatch({ type: 'match-terminated', matchId: 's' })
  await expect.element(page.getByText(/Los dos habláis/)).not.toBeInTheDocument()
})

test.for([undefined, { languages: [], interests: [] }])('where %j is shared, nothing is said', async (shared) => {
  await findMatch(shared)
  await drawn()
  await expect.element(page.getByText(/You both/)).not.toBeInTheDocument()
})

test('the call says what both share, also beside messages', async () => {
  const fake = fakeStores()
  await fake.signIn()
  meet(fake, 'Béla', { languages: ['es', 'ca'], interests: ['<b>chess</b>'] })
  render(fake.stores, <CallPage />)
  const note = page.getByRole('log').getByText('You both speak Spanish and Catalan and like <b>chess</b>.')
  await expect.element(note).toBeVisible()
  fake.stores.chat.receive('hello', 'message-1')
  await expect.element(page.getByText('hello')).toBeVisible()
  await expect.element(note).toBeInTheDocument()
})

test.for([
  [0, undefined, 'You are the only one here right now.'],
  [7, undefined, '7 others are searching.'],
  [7, 0, '7 others are searching.'],
  [17, 10, '17 others are searching. At least 10 of them speak a language of yours.'],
  [1_000, 200, 'At least 1,000 others are searching. At least 200 of them speak a language of yours.'],
] as const)('with %i others of whom %s speak my languages: %s', async ([others, speaking, text]) => {
  const stores = await search()
  stores.search.takeSize(others, speaking)
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
})

test('the number of those who speak my languages is told with the others, and not announced by itself', async () => {
  const stores = await search()
  const said = async (speaking: number | undefined, text: string) => {
    stores.search.takeSize(47, speaking)
    const line = page.getByText(`47 others are searching.${text}`, { exact: true })
    await expect.element(line).toBeVisible()
    return line.element().getAttribute('aria-live')
  }
  expect(await said(undefined, '')).toBe('polite')
  expect(await said(10, ' At least 10 of them speak a language of yours.')).toBe('off')
  expect(await said(20, ' At least 20 of them speak a language of yours.')).toBe('off')
})
