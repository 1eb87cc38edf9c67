import { expect, onTestFinished, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { tick } from '../../support/browser/fake-stores.ts'
import { recordForcedLayouts } from '../../support/browser/forced-layouts.ts'
import { drawn } from '../../support/browser/render.tsx'
import { openStillCall } from '../../support/browser/still-call.tsx'

const TICKS = 9
const LINES = 10

type Metrics = { metrics: { name: string; value: number }[] }

/** Returns how often the browser has laid out this page. */
async function layouts(): Promise<number> {
  const session = cdp() as unknown as { send(method: string): Promise<unknown> }
  const { metrics } = (await session.send('Performance.getMetrics')) as Metrics
  return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? Number.NaN
}

/** A call whose picture stands still, so that only what the test does changes the page. */
async function stillCall() {
  const fake = await openStillCall()
  await (cdp() as unknown as { send(method: string): Promise<unknown> }).send('Performance.enable')
  const forced = recordForcedLayouts()
  onTestFinished(forced.restore)
  return { fake, forced }
}

/** Less than twice a step: what the browser lays out between two steps belongs to neither. A layout within a step's script doubles them. */
const below = (steps: number) => 2 * steps

test('a tick of the countdown is one layout, and no script forces one', async () => {
  const { fake, forced } = await stillCall()
  const before = await layouts()
  for (let second = 0; second < TICKS; second += 1) {
    tick(fake, 1)
    await drawn()
  }
  expect(forced.take()).toEqual([])
  expect((await layouts()) - before).toBeLessThan(below(TICKS))
})

test('a burst of chat lines is laid out together, and none of them is measured by itself', async () => {
  const { fake, forced } = await stillCall()
  const before = await layouts()
  for (let line = 0; line < LINES; line += 1) fake.stores.chat.receive(`line ${line}`)
  await expect.poll(() => fake.stores.chat.messages.value.length).toBe(LINES)
  await drawn()
  const read = forced.take()
  expect(read.length, read.join('\n')).toBeLessThan(LINES)
  expect((await layouts()) - before).toBeLessThan(below(LINES))
})

test('a script that forces layouts is named, and each of them is counted', async () => {
  const { forced } = await stillCall()
  const box = page.getByLabelText('Message').element() as HTMLElement
  const before = await layouts()
  function thrashOfTheTest(): void {
    for (let width = 1; width <= TICKS; width += 1) {
      box.style.width = `${100 + width}px`
      box.getBoundingClientRect()
      expect(box.offsetWidth).toBeGreaterThan(0)
    }
  }
  thrashOfTheTest()
  expect(new Set(forced.take())).toEqual(
    new Set([
      expect.stringMatching(/^getBoundingClientRect read by thrashOfTheTest .*layouts\.test/),
      expect.stringMatching(/^offsetWidth read by thrashOfTheTest .*layouts\.test/),
    ]),
  )
  expect((await layouts()) - before).toBeGreaterThanOrEqual(TICKS)
})
