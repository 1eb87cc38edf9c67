import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import type { World } from '../../support/browser/fake-world.ts'
import { render, unmount } from '../../support/browser/render.tsx'

const hide = page.getByRole('switch', { name: 'Hide my network address' })

async function visit(world?: Partial<World>) {
  const fake = fakeStores(world)
  await fake.signIn()
  render(fake.stores, <DashboardPage />)
  return fake
}

test('a switch on the dashboard hides the network address and explains the cost', async () => {
  const { stores } = await visit()
  await expect.element(hide).not.toBeChecked()
  await expect.element(hide).toHaveAccessibleDescription(/cannot see your IP address/)
  await hide.click()
  await expect.element(hide).toBeChecked()
  expect(stores.relayOnly.on.value).toBe(true)
  await hide.click()
  await expect.element(hide).not.toBeChecked()
  expect(stores.relayOnly.on.value).toBe(false)
})

test('the switch works by keyboard', async () => {
  await visit()
  await expect.element(hide).toBeVisible()
  hide.element().focus()
  await userEvent.keyboard(' ')
  await expect.element(hide).toBeChecked()
})

test('its position is kept when the dashboard opens again', async () => {
  const { stores } = await visit()
  await hide.click()
  unmount()
  render(stores, <DashboardPage />)
  await expect.element(hide).toBeChecked()
})

test('its target is large enough for touch, and fits a narrow phone', async () => {
  await page.viewport(320, 640)
  await visit()
  await expect.element(hide).toBeVisible()
  const { height, left, right } = hide.element().getBoundingClientRect()
  expect(height).toBeGreaterThanOrEqual(44)
  expect(left).toBeGreaterThanOrEqual(0)
  expect(right).toBeLessThanOrEqual(320)
  expect(document.documentElement.scrollWidth).toBe(320)
})

test('a user who may not chat does not see it', async () => {
  await visit({ status: 'InReview' })
  await expect.element(page.getByRole('heading', { name: 'Your account is under review' })).toBeVisible()
  await expect.element(hide).not.toBeInTheDocument()
})
