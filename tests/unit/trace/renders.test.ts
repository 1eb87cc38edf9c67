import { expect, test } from 'vitest'
import { analyse } from '../../trace/analysis.ts'
import { summaryText } from '../../trace/summary.ts'
import { event, madeTrace, plainName } from './made-trace.ts'

/** As React's profiling build draws it; `start` in microseconds of the trace. */
function drawn(name: string, start: number, color: string, track = 'Components ⚛') {
  const data = { name, start, end: start + 500, track, color }
  // They are drawn after the commit, here in the next phase.
  return event('TimeStamp', 201_000, { ph: 'I', args: { data } })
}

const trace = [
  ...madeTrace(),
  drawn('ChatList', 110_000, 'primary-light'),
  drawn('ChatList', 150_000, 'tertiary'),
  drawn('ChatList', 210_000, 'error'),
  drawn('Countdown', 120_000, 'primary'),
  drawn('ChatList', 120_000, 'secondary-light'),
  drawn('Blocked', 120_000, 'error'),
  drawn('Render', 120_000, 'primary-dark', 'Blocking'),
  drawn('search', 120_000, 'primary', 'Match'),
]

test("renders are counted by component in the phase in which they began, without effects and the scheduler's tracks", () => {
  const [match, call] = analyse(trace, plainName).phases
  expect(match?.renders).toEqual([
    { component: 'ChatList', count: 2, ms: 1 },
    { component: 'Countdown', count: 1, ms: 0.5 },
  ])
  expect(call?.renders).toEqual([{ component: 'ChatList', count: 1, ms: 0.5 }])
})

test('the summary lists renders by component and phase', () => {
  const text = summaryText([{ person: 'Ada', rate: 1, analysis: analyse(trace, plainName), ports: [] }], 'Trace')
  const lines = text.split('\n')
  expect(lines).toContain('| component | renders | ms | match | call |')
  expect(lines).toContain('| ChatList | 3 | 1.5 | 2 | 1 |')
  expect(lines).toContain('| Countdown | 1 | 0.5 | 1 | 0 |')
})

test('the summary of a build without tracks of React says so', () => {
  const text = summaryText([{ person: 'Ada', rate: 1, analysis: analyse(madeTrace(), plainName), ports: [] }], 'Trace')
  expect(text).toContain('No renders')
})
