import { afterEach, expect, test } from 'vitest'
import { followListeners, placesOfListeners } from '../../../src/tools/recorder/alive.ts'
import { limits } from '../../../src/tools/recorder/findings.ts'
import { createTally } from '../../../src/tools/recorder/limited.ts'
import { followScreens } from '../../../src/tools/recorder/places.ts'

let cleanUp = () => {}
afterEach(() => cleanUp())

test('listeners that stay are counted by event and function; removed, aborted and single ones are not', () => {
  const left = followListeners({ window, document })
  const places = () => placesOfListeners(left())
  const leaked: (() => void)[] = []
  for (let made = 0; made < 4; made += 1) {
    const plantedListener = () => void made
    leaked.push(plantedListener)
    window.addEventListener('resize', plantedListener)
  }
  const [removed, again] = [() => void 1, () => void 2]
  const aborted = new AbortController()
  document.addEventListener('keydown', removed, true)
  document.removeEventListener('keydown', removed, { capture: true })
  window.addEventListener('online', () => {}, { signal: aborted.signal })
  aborted.abort()
  window.addEventListener('online', () => {}, { once: true })
  window.dispatchEvent(new Event('online'))
  document.addEventListener('click', again)
  document.addEventListener('click', again)
  expect(places()).toEqual([
    { where: 'window resize: plantedListener', count: 4, worst: 4 },
    { where: 'document click: (anonymous)', count: 1, worst: 1 },
  ])
  for (const listener of leaked) window.removeEventListener('resize', listener)
  document.removeEventListener('click', again)
  expect(places()).toEqual([])
})

test('the code of a screen is timed from the first request for it, and its load stays the same promise', async () => {
  const tally = createTally()
  const { promise, resolve } = Promise.withResolvers<void>()
  const screen = { load: () => promise, loaded: () => null }
  followScreens({ call: screen, shown: { load: () => promise, loaded: () => 'page' } }, tally)
  expect(screen.load()).toBe(screen.load())
  const { now } = performance
  const since = now.call(performance)
  performance.now = () => since + 4_100
  cleanUp = () => {
    performance.now = now
  }
  resolve()
  await promise
  await expect.poll(() => tally.places()).toMatchObject([{ where: 'call', count: 1 }])
  expect(tally.places()[0]?.worst).toBeGreaterThan(limits['late-chunk'].most)
})
