import { afterEach, expect, test } from 'vitest'
import { renderStorm } from '../../../src/tools/faults/render-storm.tsx'
import { layoutThrash } from '../../../src/tools/faults/thread.ts'
import { limits } from '../../../src/tools/recorder/findings.ts'
import { placesOfListeners } from '../../../src/tools/recorder/left-listeners.ts'
import { followListeners } from '../../../src/tools/recorder/listeners.ts'
import { createLayoutCount, createStormCount, followChanges } from '../../../src/tools/recorder/page-changes.ts'
import { followScreens } from '../../../src/tools/recorder/screens.ts'
import { createTally } from '../../../src/tools/recorder/tally.ts'
import { componentOf } from '../../../src/tools/recorder/where.ts'

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

test('a planted storm of renders is named by its component, planted layouts by their function', async () => {
  const [storms, layouts] = [createTally(), createTally()]
  followChanges({ storms, layouts })
  cleanUp = layoutThrash()
  await expect.poll(() => layouts.places()[0]?.count).toBeGreaterThan(limits['layout-thrash'].least)
  expect(layouts.places()).toEqual([
    {
      where: expect.stringMatching(/^plantedLayouts thread\.ts:/),
      count: expect.any(Number),
      worst: expect.any(Number),
    },
  ])
  cleanUp()
  cleanUp = renderStorm()
  const row = () => document.querySelector('div[hidden] > i')
  await expect.poll(row).not.toBeNull()
  expect(componentOf(row())).toBe('PlantedStorm > PlantedRow')
})

/** A change of so many nodes. */
const change = (nodes: number) =>
  Array.from(
    { length: nodes },
    () => ({ addedNodes: [], removedNodes: [], target: document.body }) as unknown as MutationRecord,
  )

test('frames full of changes are a storm after some seconds in a row; a meter and single seconds are none', () => {
  const tally = createTally()
  let now = 0
  const storm = createStormCount(tally, () => now)
  function seconds(count: number, nodes: number): void {
    for (let frame = 0; frame < count * 20; frame += 1) {
      now += 50
      storm.changed(change(nodes))
    }
  }
  seconds(30, 5)
  for (let times = 0; times < 10; times += 1) {
    seconds(2, 200)
    now += 3_000
  }
  expect(tally.places()).toEqual([])
  seconds(8, 200)
  expect(tally.places()).toMatchObject([{ where: 'body' }])
  expect(tally.places()[0]?.worst).toBeGreaterThan(limits['render-storm'].most)
})

test('layouts are counted by frame', () => {
  const tally = createTally()
  let now = 0
  const count = createLayoutCount(tally, () => now)
  for (; now < 50; now += 1) for (let layout = 0; layout < limits['layout-thrash'].most; layout += 1) count.add()
  expect(tally.places()).toEqual([])
  for (let layout = 0; layout < 30; layout += 1) count.add()
  now += 1
  count.add()
  expect(tally.places()).toMatchObject([{ count: 1, worst: 30 }])
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
