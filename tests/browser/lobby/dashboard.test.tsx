import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { pendingDeletion, type World } from '../../support/browser/fake-world.ts'
import { drawn, render, unmount } from '../../support/browser/render.tsx'

const start = page.getByRole('button', { name: 'Start video chat' })
const appeal = page.getByRole('button', { name: 'Submit Appeal' })

async function visit(world?: Partial<World>) {
  const fake = fakeStores(world)
  await fake.signIn()
  return { ...fake, ...render(fake.stores, <DashboardPage />) }
}

test('a refused camera explains what to do, and a second try opens the dashboard', async () => {
  const { world } = await visit({ cameraRefused: true })
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Unable to access camera and microphone. Please reset permissions and try again.')
  await expect.element(start).not.toBeInTheDocument()
  world.cameraRefused = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(start).toBeVisible()
})

test('Start video chat leads to matching', async () => {
  await visit()
  await expect.element(page.getByRole('heading', { name: 'Meet new people' })).toBeVisible()
  await start.click()
  await expect.element(page.getByTestId('address')).toHaveTextContent('/buzzing')
})

test('it says that people are chatting only while some are', async () => {
  const { world, beat, stores } = await visit({ onlineUsers: 2, talkingUsers: 0 })
  await expect.element(page.getByText('Be the first: whoever comes next can meet you.')).toBeVisible()
  const crowd = page.getByText(/^People are chatting right now/)
  await expect.element(crowd).not.toBeInTheDocument()
  world.talkingUsers = 2
  beat()
  await expect.element(crowd).toBeVisible()
  await stores.texts.choose('es')
  await expect.element(page.getByText(/^Ahora mismo hay gente charlando/)).toBeVisible()
})

test('a warned user reads why and may start', async () => {
  await visit({ status: 'Warning' })
  await expect.element(page.getByText(/Continued violations may lead to permanent suspension./)).toBeVisible()
  await expect.element(start).toBeVisible()
})

test('a suspended user submits an appeal once and reads what comes next', async () => {
  const response = Promise.withResolvers<void>()
  const { made } = await visit({ status: 'Appeal', appeal: response.promise })
  await expect.element(page.getByRole('heading', { name: 'Your account is temporarily suspended' })).toBeVisible()
  await expect.element(start).not.toBeInTheDocument()
  await appeal.click()
  await expect.element(page.getByRole('button', { name: 'Submitting...' })).toBeDisabled()
  response.resolve()
  await expect
    .element(page.getByText('Your case will be reviewed within 10 days and you will be notified.'))
    .toBeVisible()
  expect(made.filter((name) => name === 'appeal')).toHaveLength(1)
  await expect.element(start).not.toBeInTheDocument()
})

test.for([
  ['InReview', 'Your account is under review'],
  ['Blocked', 'Your account is permanently suspended'],
] as const)('with the status %s there is no way to start or appeal', async ([status, heading]) => {
  await visit({ status })
  await expect.element(page.getByRole('heading', { name: heading })).toBeVisible()
  await expect.element(start).not.toBeInTheDocument()
  await expect.element(appeal).not.toBeInTheDocument()
})

test('the panel names cause, rule, next step and end', async () => {
  const [since, until] = [Date.UTC(2026, 10, 1, 12), Date.UTC(2026, 10, 11, 12)]
  await visit({
    status: 'Appeal',
    blockCase: { what: 'reports', rule: 'guidelines', since, until, next: 'may-appeal' },
  })
  const panel = page.getByRole('status').filter({ hasText: 'Your account is temporarily suspended' })
  await expect.element(panel.getByText('You were reported during a video chat.')).toBeVisible()
  await expect.element(panel.getByText('The community guidelines; a report names no single rule.')).toBeVisible()
  await expect.element(panel.getByText(/the suspension ends by itself/)).toBeVisible()
  const days = panel.element().querySelectorAll('time')
  expect([...days].map(({ dateTime }) => Date.parse(dateTime))).toEqual([since, until])
  const [first] = panel.element().querySelectorAll('p')
  expect(first?.textContent).toMatch(/^You were reported for not following the community guidelines/)
})

test.for([
  [
    'Appeal',
    'frames',
    'no-explicit-content',
    /^An automatic check found explicit content/,
    /^Our system, by an automatic check/,
  ],
  ['Blocked', 'age', 'adults-only', /^The date of birth that you gave is/, /^Our system, by the date of birth/],
  [
    'Warning',
    'review-late',
    'guidelines',
    /^We did not review your appeal in time/,
    /^Our system, because no moderator/,
  ],
] as const)('the panel of %s by %s says so, and nothing of reports', async ([status, what, rule, cause, who]) => {
  await visit({ status, blockCase: { what, rule, since: 0, until: null, next: 'final' } })
  const panel = page.getByRole('status').filter({ hasText: 'Who decided' })
  await expect.element(panel.getByText(cause).first()).toBeVisible()
  await expect.element(panel.getByText(who)).toBeVisible()
  expect(panel.element().textContent).not.toMatch(/report|repeated/i)
})

test('a block is shown as permanent', async () => {
  await visit({
    status: 'Blocked',
    blockCase: { what: 'age', rule: 'adults-only', since: 0, until: null, next: 'final' },
  })
  await expect.element(page.getByText('You must be 18 or older.')).toBeVisible()
  await expect.element(page.getByText('For good')).toBeVisible()
})

test.for([
  ['restored', 'Your account is restored'],
  ['suspended', 'Your account stays suspended'],
  ['blocked', 'Your suspension is now permanent'],
  ['late', 'We were late with your case'],
] as const)('the outcome of a review (%s) is shown and marked as seen on the server', async ([outcome, heading]) => {
  const { made } = await visit({ notice: { outcome, at: 0 } })
  await expect.element(page.getByRole('heading', { name: heading })).toBeVisible()
  expect(made.filter((name) => name === 'seeCaseNotice')).toHaveLength(1)
})

test.for(['Appeal', 'InReview', 'Blocked'] as const)(
  'a user with the status %s is not asked for a camera, and can use the profile menu',
  async (status) => {
    const fake = fakeStores({ status, cameraRefused: true })
    const openings = countOpenings(fake)
    await fake.signIn()
    render(fake.stores, <DashboardPage />)
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.element(page.getByRole('heading', { name: /camera/ })).not.toBeInTheDocument()
    fake.beat()
    await drawn()
    expect([openings(), fake.frames]).toEqual([0, []])
    await page.getByRole('button', { name: /^Hi/ }).click()
    await expect.element(page.getByRole('button', { name: 'Download my data' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  },
)

test('after a sign-in the camera waits for the status, and is not opened for a suspended user', async () => {
  const fake = fakeStores({ status: 'Appeal' })
  const openings = countOpenings(fake)
  await fake.signIn()
  fake.stores.account.takeFirst('lobby')
  render(fake.stores, <DashboardPage />)
  await expect.element(appeal).toBeVisible()
  expect(openings()).toBe(0)
})

test('the warning stands above the camera card', async () => {
  await visit({ status: 'Warning', cameraRefused: true })
  const card = page.getByRole('heading', { name: 'Turn on your camera and mic for video chat' })
  await expect.element(card).toBeVisible()
  const warning = page.getByRole('heading', { name: 'A warning about your account' }).element()
  expect(warning.compareDocumentPosition(card.element())).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('a suspension that comes while the dashboard is open closes the camera and ends the frames, and its end opens it again', async () => {
  const { stores, frames, beat } = await visit()
  await expect.element(start).toBeVisible()
  stores.lobby.expectBlock()({ status: 'Appeal' })
  await expect.element(appeal).toBeVisible()
  expect(stores.devices.stream.value).toBeNull()
  beat()
  await drawn()
  expect(frames).toEqual([])
  stores.lobby.expectBlock()({ status: 'Warning' })
  await expect.element(start).toBeVisible()
  beat()
  await drawn()
  expect(frames).toEqual(['dashboard'])
})

test('a status that cannot be read says so, and is read again on demand', async () => {
  const fake = fakeStores({ failing: ['readBlockStatus'] })
  const openings = countOpenings(fake)
  await fake.signIn()
  fake.stores.account.takeFirst('lobby')
  render(fake.stores, <DashboardPage />)
  const heading = page.getByRole('heading', { name: 'Your status could not be loaded' })
  await expect.element(heading).toBeVisible()
  await expect.element(start).not.toBeInTheDocument()
  expect([openings(), fake.stores.toasts.failure.value]).toEqual([0, null])
  const again = page.getByRole('button', { name: 'Try again' })
  await again.click()
  await expect.element(again).toHaveFocus()
  fake.world.failing = []
  await again.click()
  await expect.element(start).toBeVisible()
  await expect.element(heading).not.toBeInTheDocument()
})

test('a status that cannot be read keeps the camera closed where the browser would open it, and shows no empty picture', async () => {
  const fake = fakeStores({ failing: ['readBlockStatus'], cameraAllowed: true })
  const openings = countOpenings(fake)
  await fake.signIn()
  fake.stores.account.takeFirst('lobby')
  await expect.poll(() => fake.stores.devices.mayOpen.value).toBe(true)
  render(fake.stores, <DashboardPage />)
  await expect.element(page.getByRole('heading', { name: 'Your status could not be loaded' })).toBeVisible()
  expect([openings(), document.querySelectorAll('video').length]).toEqual([0, 0])
})

test('while a pending deletion is being read a spinner stands where the lobby will', async () => {
  const fake = fakeStores({ cameraAllowed: true })
  await fake.signIn()
  fake.stores.account.takeFirst('deletion')
  const load = fake.stores.myData.load
  const asked = Promise.withResolvers<void>()
  fake.stores.myData.load = () => asked.promise.then(load)
  await expect.poll(() => fake.stores.devices.mayOpen.value).toBe(true)
  render(fake.stores, <DashboardPage />)
  await expect.element(page.getByText('Loading your dashboard')).toBeVisible()
  asked.resolve()
  await expect.element(start).toBeVisible()
})

test('an online count that cannot be read says so where it stands, until it can', async () => {
  const fake = fakeStores({ failing: ['readOnlineUsers'], onlineUsers: 7 })
  await fake.signIn()
  fake.stores.account.takeFirst('lobby')
  render(fake.stores, <DashboardPage />)
  const unread = page.getByText(/^The number of people online could not be loaded/)
  await expect.element(unread).toBeVisible()
  await expect.element(start).toBeVisible()
  fake.world.failing = []
  fake.beat()
  await expect.element(page.getByText('people online now')).toBeVisible()
  await expect.element(unread).not.toBeInTheDocument()
})

test('a new online count changes its text and runs no component', async () => {
  const { world, beat, runs } = await visit({ onlineUsers: 128 })
  await expect.element(page.getByText('128', { exact: true })).toBeVisible()
  const before = runs()
  world.onlineUsers = 4096
  beat()
  await expect.element(page.getByText('4,096', { exact: true })).toBeVisible()
  expect(runs()).toBe(before)
})

test('the users in calls are counted beside the users online', async () => {
  const { world, beat } = await visit({ onlineUsers: 128, talkingUsers: 0 })
  await expect.element(page.getByText('0 talking', { exact: true })).toBeVisible()
  world.talkingUsers = 1_012
  beat()
  await expect.element(page.getByText('1,012 talking', { exact: true })).toBeVisible()
  await expect.element(page.getByText('128', { exact: true })).toBeVisible()
})

test('pictures are sent while the dashboard is open, and leaving it releases the camera picture', async () => {
  const { beat, frames } = await visit()
  await expect.element(start).toBeVisible()
  const video = document.querySelector('video')
  expect(video?.srcObject).toBeInstanceOf(MediaStream)
  beat()
  await drawn()
  beat()
  await drawn()
  expect(frames).toEqual(['dashboard', 'dashboard'])
  unmount()
  expect(video?.srcObject).toBeNull()
  beat()
  expect(frames).toHaveLength(2)
})

const going = page.getByRole('heading', { name: 'Your account is being deleted' })

/** Counts how often the page opened the camera. */
function countOpenings({ camera }: ReturnType<typeof fakeStores>): () => number {
  const { open } = camera
  let openings = 0
  camera.open = (...given) => {
    openings += 1
    return open(...given)
  }
  return () => openings
}

test('a user with a pending deletion sees it, and the camera stays closed', async () => {
  const fake = fakeStores({ deletion: pendingDeletion })
  const openings = countOpenings(fake)
  await fake.signIn()
  render(fake.stores, <DashboardPage />)
  await expect.element(going).toBeVisible()
  expect(openings()).toBe(0)
  await fake.stores.myData.keep()
  await expect.element(start).toBeVisible()
  expect(openings()).toBe(1)
})

test('after a sign-in the camera waits for the answer about a pending deletion', async () => {
  const fake = fakeStores({ deletion: pendingDeletion })
  const openings = countOpenings(fake)
  await fake.signIn()
  // What the start has answered belongs to the user who was signed in before.
  fake.stores.account.takeFirst('deletion')
  render(fake.stores, <DashboardPage />)
  await expect.element(going).toBeVisible()
  expect(openings()).toBe(0)
})

test('the camera opens although the request about a pending deletion fails', async () => {
  const fake = fakeStores({ failing: ['readDeletion'] })
  await fake.signIn()
  fake.stores.account.takeFirst('deletion')
  render(fake.stores, <DashboardPage />)
  await expect.element(start).toBeVisible()
})

test('a deletion or a ban that a later answer names takes the place of Start, and closes the camera', async () => {
  const { stores } = await visit()
  await expect.element(start).toBeVisible()
  stores.lobby.expectBlock()({ status: 'Blocked' })
  await expect.element(page.getByRole('heading', { name: 'Your account is permanently suspended' })).toBeVisible()
  await expect.element(start).not.toBeInTheDocument()
  stores.myData.expectDeletion()({ deletion: pendingDeletion, delayDays: 3 })
  await expect.element(going).toBeVisible()
  expect(stores.devices.stream.value).toBeNull()
})
