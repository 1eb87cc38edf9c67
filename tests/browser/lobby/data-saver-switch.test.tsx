import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import type { World } from '../../support/browser/fake-world.ts'
import { render, unmount } from '../../support/browser/render.tsx'

const saver = page.getByRole('switch', { name: 'Data saver' })

async function visit(world?: Partial<World>) {
  const fake = fakeStores(world)
  await fake.signIn()
  render(fake.stores, <DashboardPage />)
  return fake
}

const faces = () => document.querySelectorAll('img[src^="/faces/"]').length

test('a switch on the dashboard turns the data saver on, which leaves out the faces, and off again', async () => {
  const { stores } = await visit()
  await expect.element(saver).not.toBeChecked()
  await expect.element(saver).toHaveAccessibleDescription(/nothing is loaded ahead of need/)
  expect(faces()).toBe(4)
  await saver.click()
  await expect.element(saver).toBeChecked()
  expect(stores.pictureChoice.choice.value).toBe('saver')
  await expect.poll(faces).toBe(0)
  await saver.click()
  await expect.element(saver).not.toBeChecked()
  expect(stores.pictureChoice.choice.value).toBe('best')
  await expect.poll(faces).toBe(4)
})

test.each([
  ['balanced', false],
  ['sound', true],
] as const)('with %s chosen it is on: %s', async (choice, isOn) => {
  const { stores } = await visit()
  stores.pictureChoice.choose(isOn ? 'best' : 'saver')
  await expect.element(saver).toHaveAttribute('aria-checked', String(!isOn))
  stores.pictureChoice.choose(choice)
  await expect.element(saver).toHaveAttribute('aria-checked', String(isOn))
  expect(stores.pictureChoice.choice.value).toBe(choice)
})

test('it is on where the browser asks for little data, until it is switched off', async () => {
  const { stores } = await visit({ wantsLessData: true })
  await expect.element(saver).toBeChecked()
  await saver.click()
  await expect.element(saver).not.toBeChecked()
  await stores.pictureChoice.restore()
  await expect.element(saver).not.toBeChecked()
})

test('the switch works by keyboard', async () => {
  await visit()
  await expect.element(saver).toBeVisible()
  saver.element().focus()
  await userEvent.keyboard(' ')
  await expect.element(saver).toBeChecked()
})

test('its position is kept when the dashboard opens again', async () => {
  const { stores } = await visit()
  await saver.click()
  unmount()
  render(stores, <DashboardPage />)
  await expect.element(saver).toBeChecked()
})

test('its target is large enough for touch, and fits a narrow phone', async () => {
  await page.viewport(320, 640)
  await visit()
  await expect.element(saver).toBeVisible()
  const { height, left, right } = saver.element().getBoundingClientRect()
  expect(height).toBeGreaterThanOrEqual(44)
  expect(left).toBeGreaterThanOrEqual(0)
  expect(right).toBeLessThanOrEqual(320)
  expect(document.documentElement.scrollWidth).toBe(320)
})

test('a user who may not chat does not see it', async () => {
  await visit({ status: 'InReview' })
  await expect.element(page.getByRole('heading', { name: 'Your account is under review' })).toBeVisible()
  await expect.element(saver).not.toBeInTheDocument()
})
