import { expect, onTestFinished, test } from 'vitest'
import { followSpans, type Span } from '#workers/trace.ts'
import { createMatchSpans } from '../../../src/call/runner/match-reports.ts'
import { collectCalls } from '../../../src/tools/recorder/calls.ts'

const span = (track: Span['track'], label: string, start: number, end: number): Span => ({ track, label, start, end })
const prepare = span('Match', 'prepare', 1_050, 1_200)
const search = span('Match', 'search', 1_200, 1_500)
const frame = span('Call setup', 'first frame', 2_300, 2_400)

function take(...spans: Span[]) {
  const calls = collectCalls()
  calls.pressed(1_000)
  for (const one of spans) calls.take(one)
  return calls.all()
}
const outlined = (calls: ReturnType<typeof take>) =>
  calls.map(({ isComplete, start, steps }) => [isComplete, start, steps.map(({ label }) => label)])

test('a call is collected at its first frame, and what comes later belongs to the next one', () => {
  const next = [span('Match', 'search', 9_000, 9_100), span('Call setup', 'first frame', 9_200, 9_300)]
  expect(outlined(take(prepare, search, frame, span('Match', 'match', 1_500, 8_900), ...next))).toEqual([
    [true, 1_000, ['press', 'prepare', 'search', 'first frame']],
    [true, 9_000, ['search', 'first frame']],
  ])
})

test('a search that ends without a match leaves a waterfall, which names it', () => {
  const calls = take(prepare, span('Match', 'search without a match', 1_200, 31_200))
  expect(outlined(calls)).toEqual([[false, 1_000, ['press', 'prepare', 'search without a match']]])
  expect(calls[0]).toMatchObject({ ms: 30_200, slowest: { label: 'search without a match', ms: 30_000 } })
  expect(calls[0]?.slowestAfterMatch).toBeNull()
})

test('a match that ends without a first frame is over with it, and has nothing of the next search', () => {
  const ended = span('Match', 'match', 1_500, 4_000)
  expect(outlined(take(prepare, search, ended, span('Hub', 'Join', 4_000, 4_100)))).toEqual([
    [false, 1_000, ['press', 'prepare', 'search', 'match']],
  ])
})

test('a match of which only the screen ended is over too, and other screens end none', () => {
  expect(take(prepare, search, span('Routes', '/dashboard', 0, 1_100))).toEqual([])
  expect(take(prepare, search, span('Routes', '/chat', 1_500, 1_900))).toHaveLength(1)
})

test('the last twenty calls are kept, those of the page before among them', () => {
  const calls = collectCalls()
  const [earlier] = take(search, frame)
  if (!earlier) throw new Error('There is no call')
  calls.restore([earlier])
  for (let count = 0; count < 20; count += 1) {
    calls.take({ ...search, start: 10_000 + count })
    calls.take({ ...frame, end: 20_000 + count })
  }
  expect(calls.all()).toHaveLength(20)
  expect(calls.all()[0]?.start).toBe(10_000)
})

test('the end of a search tells once whether there was a match', () => {
  const labels: string[] = []
  onTestFinished(followSpans(({ label }) => labels.push(label)))
  const spans = createMatchSpans()
  spans.searching()
  spans.ended()
  spans.ended()
  expect(labels.splice(0)).toEqual(['search without a match'])
  spans.searching()
  spans.matched('a')
  spans.ended()
  expect(labels).toEqual(['search', 'match'])
})
