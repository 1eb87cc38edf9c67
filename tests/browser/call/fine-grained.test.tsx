import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { takeRuns } from '../../support/browser/component-runs.ts'
import { fakeStores, matchId, tick } from '../../support/browser/fake-stores.ts'
import { drawn, render } from '../../support/browser/render.tsx'
import { openStillCall } from '../../support/browser/still-call.tsx'
import { sampleAt } from '../../support/call/call-sample.ts'

async function inCall() {
  const fake = await openStillCall()
  expect(takeRuns()).toMatchObject({ CallPage: expect.any(Number) })
  return fake
}

test('the online count changes without a component being run', async () => {
  const fake = fakeStores({ onlineUsers: 7 })
  await fake.signIn()
  render(fake.stores, <DashboardPage />)
  await expect.element(page.getByText('7', { exact: true })).toBeVisible()
  await drawn()
  expect(takeRuns()).toMatchObject({ DashboardPage: expect.any(Number) })
  fake.world.onlineUsers = 8
  fake.beat()
  await expect.element(page.getByText('8', { exact: true })).toBeVisible()
  expect(takeRuns()).toEqual({})
})

test('the countdown to Next runs no component', async () => {
  const fake = await inCall()
  tick(fake, 9)
  await expect.element(page.getByRole('button', { name: 'Next match in 1' })).toBeVisible()
  expect(takeRuns()).toEqual({})
})

test('the countdown of the warning runs no component', async () => {
  const fake = await inCall()
  fake.stores.call.dispatch({ type: 'reported-by-peer', matchId })
  await expect.element(page.getByRole('button', { name: /Understood/ })).toBeVisible()
  await drawn()
  takeRuns()
  tick(fake, 5)
  await expect.element(page.getByRole('button', { name: /\(5\)/ })).toBeVisible()
  expect(takeRuns()).toEqual({})
})

test('a change of the quality runs the indicator alone', async () => {
  const { stores } = await inCall()
  const line = {
    limit: async () => {},
    delayPlayback: () => {},
    tell: () => {},
    measure: () => {},
    restoreSize: async () => {},
  }
  for (let second = 0; second < 12; second += 1) stores.quality.take(sampleAt(second, { roundTripMs: 700 }), line)
  expect(stores.quality.indicator.value.bars).toBe(1)
  await drawn()
  expect(takeRuns()).toEqual({ SignalIndicator: 1 })
})

test('new numbers of the data of the call run no component, and are shown in the open menu', async () => {
  const { stores } = await inCall()
  const take = (second: number) =>
    stores.dataUse.take({ at: second * 1_000, bytesOnWire: second * 60_000 + second * 40_000 })
  for (let second = 0; second < 10; second += 1) take(second)
  await drawn()
  expect(takeRuns()).toEqual({})
  await page.getByRole('button', { name: 'Camera and sound' }).click()
  await expect.element(page.getByText('This call: 0.9 MB, about 360 MB an hour')).toBeVisible()
  await drawn()
  takeRuns()
  for (let second = 10; second <= 124; second += 1) take(second)
  await expect.element(page.getByText('This call: 12.4 MB, about 360 MB an hour')).toBeVisible()
  await drawn()
  expect(takeRuns()).toEqual({})
})

test('a message runs the list and its own row, however long the chat is', async () => {
  const { stores } = await inCall()
  for (let count = 0; count < 50; count += 1) stores.chat.receive(`line ${count}`)
  await expect.element(page.getByText('line 49')).toBeInTheDocument()
  await drawn()
  takeRuns()
  stores.chat.receive('one more')
  await expect.element(page.getByText('one more')).toBeInTheDocument()
  await drawn()
  expect(takeRuns()).toEqual({ ChatList: 1, MessageRow: 1 })
})

test('looks at the pictures run no component, and what they find runs its own', async () => {
  const { looks } = await inCall()
  const { length } = looks.looked
  await expect.poll(() => looks.looked.length).toBeGreaterThan(length + 3)
  expect(takeRuns()).toEqual({})
  looks.flags.add('My video')
  await expect.element(page.getByText('The other side may not see this.')).toBeVisible()
  expect(takeRuns()).toEqual({ Interrupted: 1 })
  looks.flags.add('Peer video')
  await expect.element(page.getByRole('alertdialog')).toBeVisible()
  await drawn()
  expect(takeRuns()).toEqual({ Veil: 1, VeilChoices: 1, Button: 3 })
})
