import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { DeletionStatusPage } from '../../../src/site/deletion-status/deletion-status-page.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { pendingDeletion, type World } from '../../support/browser/fake-world.ts'
import { openProfilePopup } from '../../support/browser/profile-popup.tsx'
import { render } from '../../support/browser/render.tsx'

const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
const popup = page.getByRole('region', { name: 'Profile' })
const start = page.getByRole('button', { name: 'Start video chat' })

async function openDialog(world?: Partial<World>) {
  const fake = await openProfilePopup(world)
  await popup.getByRole('button', { name: 'Delete my account' }).click()
  await expect.element(dialog).toBeVisible()
  return fake
}

test('Download my data saves a file, after the login session was validated', async () => {
  const { saved, made } = await openProfilePopup()
  made.length = 0
  await page.getByRole('button', { name: 'Download my data' }).click()
  await expect.poll(() => saved).toEqual(['waggle-my-data.json'])
  expect(made).toEqual(['validateAccessToken'])
})

test('a failed export is shown until the next try', async () => {
  const { world, saved } = await openProfilePopup()
  world.failing = ['validateAccessToken']
  await page.getByRole('button', { name: 'Download my data' }).click()
  const words = page.getByText('Your data could not be collected. Please try again in a few minutes.')
  await expect.element(words).toBeVisible()
  expect(saved).toEqual([])
  world.failing = []
  await page.getByRole('button', { name: 'Download my data' }).click()
  await expect.element(words).not.toBeInTheDocument()
  expect(saved).toHaveLength(1)
})

test('the dialog explains what happens and when, and its harmless button has the focus', async () => {
  const { made } = await openDialog()
  const keep = dialog.getByRole('button', { name: 'Keep my account' })
  await expect.element(keep).toHaveFocus()
  await expect.element(dialog.getByText(/everything else we keep about you will be deleted/)).toBeVisible()
  await expect.element(dialog.getByText(/within 7 business days/)).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog).not.toBeInTheDocument()
  // The focus returns to the popup, which has stayed open.
  await expect.element(popup.getByRole('button', { name: 'Delete my account' })).toHaveFocus()
  expect(made).not.toContain('deleteData')
})

test('the time to cancel is that of the server', async () => {
  const { stores } = await openDialog()
  await stores.myData.load()
  await expect.element(dialog.getByText(/You can do so for 3 days/)).toBeVisible()
})

test('Escape cancels', async () => {
  const { made } = await openDialog()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(popup).toBeVisible()
  expect(made).not.toContain('deleteData')
})

test('a confirmed deletion is sent once, clears the user, shows the day and leads to the splash screen', async () => {
  const { stores, made } = await openDialog()
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect
    .poll(() => {
      const popup = stores.toasts.popup.value
      return popup && stores.texts.format(popup.text, popup.values)
    })
    .toBe('Your account will be deleted by December 1, 2026. If you want to keep it, sign in before November 24, 2026.')
  expect(made.filter((name) => name === 'deleteData')).toHaveLength(1)
  expect(made).toContain('logout')
  expect(stores.account.email.value).toBe('')
  await expect.element(page.getByTestId('address')).toHaveTextContent('/')
})

test('a failed deletion is shown and keeps the user signed in', async () => {
  const { stores, made } = await openDialog({ failing: ['deleteData'] })
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect.element(dialog.getByText(/Your account could not be deleted/)).toBeVisible()
  expect(made).not.toContain('logout')
  expect(stores.account.email.value).toBe('ada@example.org')
})

test('everything in popup and dialog is 44 pixels high and fits into 320', async () => {
  await page.viewport(320, 640)
  await openDialog()
  for (const button of document.querySelectorAll<HTMLElement>('[aria-label=Profile] button, dialog button')) {
    const { height, left, right } = button.getBoundingClientRect()
    expect(height).toBeGreaterThanOrEqual(44)
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(320)
  }
  await page.viewport(1280, 800)
})

async function dashboard(world: Partial<World>) {
  const fake = fakeStores(world)
  await fake.signIn()
  render(fake.stores, <DashboardPage />)
  return fake
}

test('a user with a pending deletion reads what will happen, without an open camera, and can keep the account', async () => {
  const { stores, made } = await dashboard({ deletion: pendingDeletion })
  await expect.element(page.getByRole('heading', { name: 'Your account is being deleted' })).toBeVisible()
  await expect
    .element(page.getByText(/You asked for this on November 21, 2026.*gone by December 1, 2026/))
    .toBeVisible()
  await expect.element(page.getByText(/Before November 24, 2026 you can keep your account/)).toBeVisible()
  await expect.element(start).not.toBeInTheDocument()
  await expect.poll(() => stores.devices.stream.value).toBeNull()
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await expect.element(start).toBeVisible()
  expect(made.filter((name) => name === 'keepData')).toHaveLength(1)
})

test('a failed request to keep the account is shown', async () => {
  await dashboard({ deletion: pendingDeletion, failing: ['keepData'] })
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await expect.element(page.getByText('Your account could not be kept. Please try again.')).toBeVisible()
  await expect.element(start).not.toBeInTheDocument()
})

test('an account under legal hold cannot be kept, and the user reads why', async () => {
  await dashboard({ deletion: { ...pendingDeletion, state: 'held' } })
  await expect.element(page.getByText(/The law asks us to keep your data apart for now/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Keep my account' })).not.toBeInTheDocument()
  await expect.element(start).not.toBeInTheDocument()
})

test('the dashboard opens if the pending deletion cannot be read', async () => {
  const fake = fakeStores({ failing: ['readDeletion'] })
  await fake.signIn()
  // As after a long wait for the camera: the answer of the start is too old.
  fake.stores.account.takeFirst('deletion')
  render(fake.stores, <DashboardPage />)
  await expect.element(start).toBeVisible()
  expect(fake.made).toContain('readDeletion')
})

test.for([
  ['waiting', /deleted within 7 business days/],
  ['held', /The law asks us/],
  ['done', /Nothing is left/],
  ['cancelled', /The account was kept/],
] as const)('a code whose deletion is %s shows only that', async ([state, words]) => {
  const { stores, deletionStatus } = fakeStores({ deletionState: state })
  render(stores, <DeletionStatusPage store={deletionStatus} />, '/deletion-status?code=AAAAAAAAAAAAAAAAAAAAAA')
  await expect.element(page.getByRole('main').getByText(words)).toBeVisible()
})

test('an unknown code and a failed request have different texts', async () => {
  const { stores, world, deletionStatus } = fakeStores({ failing: ['readDeletionStatus'] })
  render(stores, <DeletionStatusPage store={deletionStatus} />, '/deletion-status?code=AAAAAAAAAAAAAAAAAAAAAA')
  await expect.element(page.getByText(/We could not look it up/)).toBeVisible()
  world.failing = []
  world.deletionState = null
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText(/We do not know this code/)).toBeVisible()
})
