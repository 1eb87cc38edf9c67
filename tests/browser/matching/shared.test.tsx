import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Shared } from '#protocol/hub.ts'
import { CallPage } from '../../../src/pages/call/call-page.tsx'
import { MatchingPage } from '../../../src/pages/matching/matching-page.tsx'
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
  [0, 0, 'You are the only one here right now.'],
  [1, 0, '1 other is searching. They have not chosen a language that you speak.'],
  [1, 1, '1 other is searching. They speak a language of yours.'],
  [7, 0, '7 others are searching. None of them has chosen a language that you speak.'],
  [7, 1, '7 others are searching. 1 of them speaks a language of yours.'],
  [7, 3, '7 others are searching. 3 of them speak a language of yours.'],
  [7, 7, '7 others are searching. All of them speak a language of yours.'],
  [1_000, 12, 'At least 1,000 others are searching. 12 of them speak a language of yours.'],
  [1_000, 200, 'At least 1,000 others are searching. At least 200 of them speak a language of yours.'],
  [7, undefined, '7 others are searching.'],
] as const)('with %i others of whom %s speak my languages: %s', async ([others, speaking, text]) => {
  const stores = await search()
  stores.search.takeSize(others, speaking)
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
})

test('the number is announced when the first one comes who speaks my languages, not at each change', async () => {
  const stores = await search()
  const said = async (speaking: number, text: string) => {
    stores.search.takeSize(7, speaking)
    const line = page.getByText(`7 others are searching. ${text}`)
    await expect.element(line).toBeVisible()
    return line.element().getAttribute('aria-live')
  }
  expect(await said(0, 'None of them has chosen a language that you speak.')).toBe('polite')
  expect(await said(2, '2 of them speak a language of yours.')).toBe('polite')
  expect(await said(3, '3 of them speak a language of yours.')).toBe('off')
})
