import { signal } from '@preact/signals-react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { CallCause } from '../../../src/call/rules/call-cause.ts'
import type { Signal } from '../../../src/call/rules/governor.ts'
import { SignalIndicator } from '../../../src/call/screens/peer-video.tsx'
import { fakeStores, meet } from '../../support/browser/fake-stores.ts'
import { render } from '../../support/browser/render.tsx'

function Surroundings({ onDraw }: { onDraw: () => void }) {
  onDraw()
  return (
    <main data-scheme="dark">
      <SignalIndicator />
    </main>
  )
}

/** The indicator in a page that counts how often it is drawn. */
function visit() {
  const fake = fakeStores()
  const { stores } = fake
  const indicator = signal<Signal>({ bars: 3, reason: 'good' })
  const cause = signal<CallCause>('good')
  let drawn = 0
  const show = (bars: Signal['bars'], next: CallCause) => {
    indicator.value = { ...indicator.peek(), bars }
    cause.value = next
  }
  const onDraw = () => {
    drawn += 1
  }
  render({ ...stores, quality: { ...stores.quality, indicator, cause } }, <Surroundings onDraw={onDraw} />)
  return { stores, show, meet: (name: string) => meet(fake, name), drawn: () => drawn }
}

const button = (name: string) => page.getByRole('button', { name })
const lit = () =>
  [...document.querySelectorAll('svg[data-bars] path')].filter((bar) => getComputedStyle(bar).opacity === '1').length

test('a good call has three bars, and shows on demand that all is well', async () => {
  visit()
  await expect.element(button('Good connection')).toHaveAccessibleDescription('Picture and sound get through well.')
  expect(lit()).toBe(3)
  await button('Good connection').click()
  await expect.element(page.getByText('Picture and sound get through well.')).toBeVisible()
})

test.each<[string, Signal['bars'], CallCause, RegExp]>([
  ['Weak connection', 1, 'udp-blocked', /^Your network lets no UDP through/],
  ['Weak connection', 1, 'slow-network', /^Your network is slow/],
  ['Fair connection', 2, 'lossy-network', /^Your network loses data/],
  ['Fair connection', 2, 'long-way', /^The way between you and .* is long/],
  ['Weak connection', 1, 'stills', /one a second is sent\. The moving picture comes back by itself/],
  ['Weak connection', 1, 'sound-only', /only your sound is sent\. The picture comes back by itself/],
  ['Fair connection', 2, 'slow-device', /^Your device is too slow/],
  ['Good connection', 3, 'peer-device', /device is too slow just now, so their picture is smaller/],
  ['Fair connection', 2, 'peer-network', /network is slow or loses data\. Your side is fine/],
  ['Fair connection', 2, 'peer-loss', /^What .* sends does not all arrive/],
])('%s, %i bars, %s: the bars are lit, and the cause is shown', async (word, bars, cause, text) => {
  const { show } = visit()
  await expect.element(button('Good connection')).toBeVisible()
  show(bars, cause)
  await expect.element(button(word)).toHaveAccessibleDescription(text)
  expect(lit()).toBe(bars)
})

test.each<[CallCause, string]>([
  ['peer-device', "Sam's device is too slow just now, so their picture is smaller. Your side is fine."],
  ['peer-network', "Sam's network is slow or loses data. Your side is fine."],
  ['peer-loss', 'What Sam sends does not all arrive.'],
  ['long-way', 'The way between you and Sam is long, so answers come late.'],
])('%s names the peer', async (cause, text) => {
  const { show, meet } = visit()
  meet('Sam')
  show(2, cause)
  await expect.element(button('Fair connection')).toHaveAccessibleDescription(text)
})

test('a weak network offers sound only, and the choice can be taken back', async () => {
  const { stores, show } = visit()
  await expect.element(button('Good connection')).toBeVisible()
  show(1, 'slow-network')
  await button('Weak connection').click()
  await button('Switch to sound only').click()
  expect(stores.pictureChoice.choice.value).toBe('sound')
  await expect.element(page.getByText(/^You chose sound only/)).toBeVisible()
  await button('Send my picture again').click()
  expect(stores.pictureChoice.choice.value).toBe('best')
  await expect.element(button('Switch to sound only')).toBeVisible()
  stores.pictureChoice.choose('saver')
  await button('Switch to sound only').click()
  await button('Send my picture again').click()
  expect(stores.pictureChoice.choice.value).toBe('saver')
})

test('a call that is being brought back has no bar, whatever was measured last', async () => {
  const { stores } = visit()
  stores.call.showHealth('broken')
  await expect.element(button('No connection')).toHaveAccessibleDescription(/bring picture and sound back/)
  expect(lit()).toBe(0)
  stores.call.showHealth('well')
  await expect.element(button('Good connection')).toBeVisible()
})

test('a call that breaks together with the hub says that the own network is gone', async () => {
  const { stores } = visit()
  stores.call.showHealth('broken')
  stores.hub.changed('reconnecting')
  await expect.element(button('No connection')).toHaveAccessibleDescription(/^Your network is gone/)
  stores.hub.changed('connected')
  await expect.element(button('No connection')).toHaveAccessibleDescription(/bring picture and sound back/)
})

test('what is open changes with the call, and the page around it is not drawn again', async () => {
  const { show, drawn } = visit()
  await button('Good connection').click()
  await expect.element(page.getByText('Picture and sound get through well.')).toBeVisible()
  const before = drawn()
  show(1, 'slow-network')
  await expect.element(page.getByText(/^Your network is slow/)).toBeVisible()
  expect(lit()).toBe(1)
  expect(drawn()).toBe(before)
})

test('the keyboard opens and closes it, and stays where it was', async () => {
  visit()
  await expect.element(button('Good connection')).toBeVisible()
  await userEvent.tab()
  await expect.element(button('Good connection')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Picture and sound get through well.')).toBeVisible()
  await expect.element(button('Good connection')).toHaveAttribute('aria-expanded', 'true')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText('Picture and sound get through well.')).not.toBeVisible()
  await expect.element(button('Good connection')).toHaveFocus()
})

test('its target is large enough for a thumb, and its text fits a narrow phone', async () => {
  await page.viewport(320, 640)
  const { show } = visit()
  await expect.element(button('Good connection')).toBeVisible()
  show(2, 'slow-device')
  await button('Fair connection').click()
  const target = button('Fair connection').element().getBoundingClientRect()
  expect(Math.min(target.width, target.height)).toBeGreaterThanOrEqual(44)
  await expect.element(page.getByText(/^Your device is too slow/)).toBeVisible()
  const text = page
    .getByText(/^Your device is too slow/)
    .element()
    .getBoundingClientRect()
  expect(text.left).toBeGreaterThanOrEqual(0)
  expect(text.right).toBeLessThanOrEqual(320)
  expect(document.documentElement.scrollWidth).toBe(320)
})
