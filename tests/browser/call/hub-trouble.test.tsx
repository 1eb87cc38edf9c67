import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { MatchingPage } from '../../../src/call/search/matching-page.tsx'
import { fakeStores, meet } from '../../support/browser/fake-stores.ts'
import { render } from '../../support/browser/render.tsx'

afterEach(() => void vi.useRealTimers())

const status = page.getByRole('status')
const lost = page.getByText(/Connection lost.*messages cannot be sent/)
const reconnect = page.getByRole('button', { name: 'Reconnect' })

async function inCall() {
  const fake = fakeStores()
  await fake.signIn()
  meet(fake)
  fake.effects.length = 0
  render(fake.stores, <CallPage />)
  await expect.element(page.getByLabelText('Message')).toBeVisible()
  return fake
}

test('a call shows that the hub reconnects, and nothing once it is connected', async () => {
  const { stores } = await inCall()
  stores.hub.changed('reconnecting')
  await expect.element(page.getByText('Reconnecting... The call goes on.')).toBeVisible()
  await expect.element(status).toBeVisible()
  await expect.element(reconnect).not.toBeInTheDocument()
  stores.hub.changed('connected')
  await expect.element(status).not.toBeInTheDocument()
  expect(stores.call.phase.value).toBe('in-call')
})

test('a call without a hub connection explains what that means and offers to reconnect', async () => {
  const { stores, effects } = await inCall()
  stores.hub.changed('gave-up')
  await expect.element(lost).toBeVisible()
  await expect.element(status).toBeVisible()
  await reconnect.click()
  expect(effects).toEqual([{ type: 'reconnect' }])
  stores.hub.changed('reconnecting')
  await expect.element(page.getByText(/Reconnecting/)).toBeVisible()
  await expect.element(reconnect).not.toBeInTheDocument()
  stores.hub.changed('gave-up')
  await expect.element(reconnect).toBeVisible()
})

test('a short interruption is not shown', async () => {
  const { stores } = await inCall()
  const shown: string[] = []
  const statuses = () => [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent)
  const seen = new MutationObserver(() => shown.push(...statuses().filter((text) => text !== '')))
  seen.observe(document.body, { childList: true, subtree: true })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  stores.hub.changed('reconnecting')
  vi.advanceTimersByTime(499)
  stores.hub.changed('connected')
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  stores.chat.receive('hello')
  await expect.element(page.getByText('hello')).toBeVisible()
  seen.disconnect()
  expect(shown).toEqual([])
})

test('a search shows that the hub reconnects, and that it is lost', async () => {
  const { stores } = fakeStores()
  render(stores, <MatchingPage />)
  await expect.element(page.getByRole('heading', { name: 'Finding a partner...' })).toBeVisible()
  stores.hub.changed('reconnecting')
  await expect.element(status.getByText(/Reconnecting/)).toBeVisible()
  stores.hub.changed('gave-up')
  await expect.element(status.getByText(/Connection lost/)).toBeVisible()
})
