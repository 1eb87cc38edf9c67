import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type KeptVisit, keepVisit, takeKeptVisit } from '../../../src/tools/recorder/kept-visit.ts'

const step = { track: 'Match', label: 'search', start: 0, ms: 5 }
const visit: KeptVisit = {
  timeOrigin: 0,
  calls: [{ start: 100, ms: 5, isComplete: true, steps: [step], slowest: step, slowestAfterMatch: null, causes: [] }],
  spans: [{ track: 'Hub', label: 'connect', start: 20, end: 30 }],
  events: [{ method: 'create', connection: 'PC_1', value: {}, at: 5 }],
}

let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('what a page kept is read by the next one, in the times of its own clock', () => {
  keepVisit({ ...visit, timeOrigin: performance.timeOrigin - 1_000 })
  expect(takeKeptVisit()).toEqual({
    ...visit,
    timeOrigin: performance.timeOrigin,
    calls: [{ ...visit.calls[0], start: -900 }],
    spans: [{ ...visit.spans[0], start: -980, end: -970 }],
  })
})

test('only the last hundred readings of statistics are kept', () => {
  const events = Array.from({ length: 130 }, (_, at) => ({ method: 'getStats', connection: 'PC_1', value: {}, at }))
  keepVisit({ ...visit, events })
  expect(takeKeptVisit()?.events.map(({ at }) => at)).toEqual(events.slice(30).map(({ at }) => at))
})

test.each([
  ['nothing', undefined],
  ['no JSON', '{'],
  ['another form', JSON.stringify({ ...visit, spans: [{ track: 1 }] })],
  ['an earlier form', JSON.stringify({ timeOrigin: 0, calls: [] })],
])('of %s nothing is taken', (_name, written) => {
  if (written !== undefined) kept.set('profile', written)
  expect(takeKeptVisit()).toBeNull()
})

test('a browser that refuses to store keeps nothing', () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new Error('refused')
    },
    setItem: () => {
      throw new Error('refused')
    },
  })
  keepVisit(visit)
  expect(takeKeptVisit()).toBeNull()
})
