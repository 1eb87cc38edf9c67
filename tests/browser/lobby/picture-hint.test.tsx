import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { render } from '../../support/browser/render.tsx'

async function visit(label = 'FaceTime HD Camera') {
  const fake = fakeStores()
  await fake.signIn()
  await fake.stores.devices.open()
  for (const track of fake.stores.devices.stream.value?.getVideoTracks() ?? [])
    Object.defineProperty(track, 'label', { value: label })
  render(fake.stores, <DashboardPage />)
  await expect.element(page.getByRole('button', { name: 'Start video chat' })).toBeEnabled()
  return fake
}

const program = page.getByText(/^Your camera is the program OBS\./)

test('a camera that is a known program is named, and the chat can start', async () => {
  const { stores } = await visit('OBS Virtual Camera')
  await expect.element(program).toBeVisible()
  expect(program.element().closest('[role="status"]')).not.toBeNull()
  // What helps comes first.
  stores.pictureStates.judged('own', 'still')
  await expect.element(page.getByText(/^Your picture does not change at all\./)).toBeVisible()
  await expect.element(program).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Start video chat' })).toBeEnabled()
})

test('nothing is said of a camera, nor of one that is off', async () => {
  const { stores } = await visit()
  const notes = () => [...document.querySelectorAll('[role="status"] p')].map(({ textContent }) => textContent)
  expect(notes()).toEqual([])
  stores.pictureStates.judged('own', 'black')
  await expect.element(page.getByText(/^Your picture is black/)).toBeVisible()
  stores.devices.toggleCamera()
  await expect.poll(notes).toEqual([])
})
