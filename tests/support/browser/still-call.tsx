import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { fakeStores, meet, stillStream } from './fake-stores.ts'
import { drawn, render } from './render.tsx'

/** Shows a call whose picture stands still, so that only what the test does changes the page. */
export async function openStillCall() {
  const fake = fakeStores()
  await fake.signIn()
  await fake.stores.devices.open()
  meet(fake)
  fake.stores.call.showRemote(stillStream())
  render(fake.stores, <CallPage />)
  await page.getByRole('button', { name: 'Tap to see clearly' }).click()
  await expect.element(page.getByRole('button', { name: 'Tap to see clearly' })).not.toBeInTheDocument()
  await drawn()
  return fake
}
