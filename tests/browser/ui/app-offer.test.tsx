import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { fakeStores, meet, paintedStream } from '../../support/browser/fake-stores.ts'
import { render } from '../../support/browser/render.tsx'

afterEach(() => void vi.restoreAllMocks())

const menu = page.getByRole('dialog', { name: 'Camera and sound' })
const offer = page.getByRole('button', { name: 'Download Android app' })
const popup = page.getByRole('dialog', { name: 'Download Android app' })

async function visit(userAgent: string) {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  const fake = fakeStores()
  await fake.signIn()
  await fake.stores.devices.open()
  meet(fake)
  fake.stores.call.showRemote(paintedStream())
  fake.effects.length = 0
  return { ...fake, ...render(fake.stores, <CallPage />) }
}

test('in a call on Android the menu offers the app, in a new tab, and the call goes on', async () => {
  await page.viewport(360, 740)
  const { stores, effects } = await visit('Mozilla/5.0 (Linux; Android 16; Pixel)')
  await expect.element(page.getByLabelText('Peer video')).toBeVisible()
  await expect.element(popup).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Camera and sound' }).click()
  await offer.click()
  const download = popup.getByRole('link', { name: 'Download' })
  await expect.element(download).toHaveAttribute('href', stores.config.storeUrl)
  await expect.element(download).toHaveAttribute('target', '_blank')
  await popup.getByRole('button', { name: 'Continue on Web' }).click()
  await expect.element(popup).not.toBeInTheDocument()
  await expect.element(offer).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(menu).not.toBeInTheDocument()
  expect(stores.call.phase.value).toBe('in-call')
  expect(effects).toEqual([])
})

test('in a call elsewhere the app is not offered', async () => {
  await visit('Mozilla/5.0 (X11; Linux x86_64)')
  await page.getByRole('button', { name: 'Camera and sound' }).click()
  await expect.element(menu).toBeVisible()
  await expect.element(offer).not.toBeInTheDocument()
})
