import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { fakeStores, meet } from '../../support/browser/fake-stores.ts'
import { drawn, render } from '../../support/browser/render.tsx'

afterEach(() => void vi.useRealTimers())

const box = page.getByLabelText('Message')
const log = page.getByRole('log', { name: 'Chat' })

async function visit(given?: Parameters<typeof fakeStores>[0]) {
  const fake = fakeStores(given)
  await fake.signIn()
  meet(fake)
  return { ...fake, ...render(fake.stores, <CallPage />) }
}

function valueOfBox(): string {
  const element = box.element()
  return element instanceof HTMLTextAreaElement ? element.value : ''
}

test('Enter sends the trimmed text and clears the box', async () => {
  const { stores } = await visit()
  await box.fill('  hello 👋🏽 ')
  await userEvent.keyboard('{Enter}')
  await expect.element(log.getByText('hello 👋🏽', { exact: true })).toBeVisible()
  expect(stores.chat.messages.value.map(({ message }) => message)).toEqual(['hello 👋🏽'])
  expect(valueOfBox()).toBe('')
})

test('Shift+Enter begins a new line', async () => {
  const { stores } = await visit()
  await box.fill('one')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}two')
  expect(valueOfBox()).toBe('one\ntwo')
  expect(stores.chat.messages.value).toEqual([])
  await page.getByRole('button', { name: 'Send' }).click()
  expect(stores.chat.messages.value.map(({ message }) => message)).toEqual(['one\ntwo'])
})

test('a text of spaces alone stays in the box', async () => {
  const { stores } = await visit()
  await box.fill('   ')
  await userEvent.keyboard('{Enter}')
  expect(stores.chat.messages.value).toEqual([])
  expect(valueOfBox()).toBe('   ')
})

test('a text that is too long stays whole in the box, and the limit is said', async () => {
  const { stores } = await visit()
  await box.fill('x'.repeat(2_001))
  await userEvent.keyboard('{Enter}')
  expect(stores.chat.messages.value).toEqual([])
  expect(valueOfBox()).toBe('x'.repeat(2_001))
  expect(stores.toasts.popup.value).toMatchObject({
    text: 'toasts.message-too-long',
    values: { max: 2_000, length: 2_001 },
  })
  await userEvent.keyboard('{Backspace}{Enter}')
  expect(stores.chat.messages.value.map(({ message }) => message)).toEqual(['x'.repeat(2_000)])
})

test('the Enter that ends a composition does not send', async () => {
  const { stores } = await visit()
  await box.fill('にほん')
  const enter = { key: 'Enter', bubbles: true, cancelable: true }
  box.element().dispatchEvent(new KeyboardEvent('keydown', { ...enter, isComposing: true }))
  box.element().dispatchEvent(new KeyboardEvent('keydown', { ...enter, keyCode: 229 }))
  expect(stores.chat.messages.value).toEqual([])
  box.element().dispatchEvent(new KeyboardEvent('keydown', enter))
  expect(stores.chat.messages.value.map(({ message }) => message)).toEqual(['にほん'])
})

test('a message that was not delivered is marked so and can be sent again', async () => {
  const { stores, world } = await visit()
  world.deliver = () => Promise.reject(new Error('not-delivered'))
  await box.fill('lost')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Not delivered.')).toBeVisible()
  world.deliver = () => Promise.resolve()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Not delivered.')).not.toBeInTheDocument()
  expect(stores.chat.messages.value.map(({ delivery }) => delivery)).toEqual(['sent'])
})

test('an address in a message is text, not a link', async () => {
  const { stores } = await visit()
  stores.chat.receive('<b>see</b> https://example.org/')
  const text = log.getByText('<b>see</b> https://example.org/', { exact: true })
  await expect.element(text).toBeVisible()
  expect(log.element().querySelector('a, b')).toBeNull()
})

test('the list follows the conversation 100 ms behind, unless its reader has scrolled up', async () => {
  const { stores } = await visit()
  await expect.element(log).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const list = log.element()
  const fromEnd = () => Math.round(list.scrollHeight - list.scrollTop - list.clientHeight)
  const rows = () => list.querySelectorAll('[data-from]').length
  for (let count = 0; count < 40; count += 1) stores.chat.receive(`line ${count}`)
  await drawn()
  expect(rows()).toBe(40)
  vi.advanceTimersByTime(99)
  expect(list.scrollTop).toBe(0)
  vi.advanceTimersByTime(1)
  expect(list.scrollTop).toBeGreaterThan(100)
  expect(fromEnd()).toBe(0)
  await drawn()

  list.scrollTop = 20
  await drawn()
  stores.chat.receive('while reading')
  await drawn()
  expect(rows()).toBe(41)
  vi.advanceTimersByTime(100)
  expect(list.scrollTop).toBe(20)

  stores.chat.send('my answer')
  await drawn()
  vi.advanceTimersByTime(100)
  expect(fromEnd()).toBe(0)
})

test('typing tells the peer, without spaces alone and not with the data saver', async () => {
  const { typed, stores } = await visit()
  await box.fill('  ')
  expect(typed).toEqual([])
  await box.fill('h')
  await box.fill('he')
  expect(typed).toHaveLength(1)
  expect(stores.chat.messages.value).toEqual([])
})

test('with the data saver the peer is not told of typing, and the typing of the peer is shown', async () => {
  const { typed, stores } = await visit({ wantsLessData: true })
  await box.fill('hello')
  expect(typed).toEqual([])
  stores.typing.peerTyped()
  await expect.element(page.getByText('Béla is writing...')).toBeVisible()
})

test.for([1280, 390])('at %i px the peer who types is named in a line that moves nothing', async (width) => {
  await page.viewport(width, 800)
  const { stores } = await visit()
  await expect.element(box).toBeVisible()
  const places = () => [log, box].map((part) => part.element().getBoundingClientRect().toJSON())
  const before = places()
  stores.typing.peerTyped()
  const note = page.getByText('Béla is writing...')
  await expect.element(note).toBeVisible()
  expect(note.element().closest('[aria-live="polite"]')).not.toBeNull()
  expect(places()).toEqual(before)
  stores.typing.forgetPeer()
  await expect.element(note).not.toBeInTheDocument()
  expect(places()).toEqual(before)
})

test('the title of a call calls a user who looks elsewhere until they are back', async () => {
  const fake = fakeStores({ isHidden: true })
  await fake.signIn()
  meet(fake)
  render(fake.stores, <CallPage />)
  await expect.poll(() => document.title).toMatch(/^Match found!/)
  fake.look(false)
  await expect.poll(() => document.title).toMatch(/^Video chat/)
})
