import { describe, expect, it } from 'vitest'
import { analyse } from '../../trace/analysis.ts'
import { summaryText } from '../../trace/summary.ts'
import { event, madeTrace, plainName } from './made-trace.ts'

describe('the analysis of a trace', () => {
  it('divides tasks by thread and phase, and counts a task within a task once', () => {
    const [match, call] = analyse(madeTrace(), plainName).phases
    expect(match).toMatchObject({ name: 'match', ms: 100, threads: { page: 20, network: 4 } })
    expect(call).toMatchObject({ name: 'call', ms: 40, threads: { page: 20 } })
  })

  it('counts layouts and style recalculations of the page, requests, and the largest heap', () => {
    const [match, call] = analyse(madeTrace(), plainName).phases
    expect(match).toMatchObject({ layouts: { count: 1, ms: 2 }, styles: { count: 0 }, heap: 5_000_000 })
    expect(match?.requests).toEqual({ count: 1, bytes: 0 })
    expect(call).toMatchObject({ layouts: { count: 0 }, styles: { count: 1, ms: 0.5 } })
    expect(call?.requests).toEqual({ count: 0, bytes: 1_500 })
  })

  it('names the functions of the longest tasks by samples, and without samples by calls', () => {
    const [first, second, third] = analyse(madeTrace(), plainName).longest
    // `a` from 181 ms to 185 ms and from 197 ms to 205 ms, `b` between.
    expect(first).toMatchObject({ phase: 'match', thread: 'page', startMs: 80, ms: 30 })
    expect(first?.functions).toEqual([
      { name: 'a', ms: 12 },
      { name: 'b', ms: 12 },
    ])
    expect(second).toMatchObject({ phase: 'call', ms: 10, functions: [{ name: 'c', ms: 8 }] })
    expect(third).toMatchObject({ thread: 'network', ms: 4, functions: [] })
  })

  it('tells computing from waiting', () => {
    const waited = event('RunTask', 150_000, { dur: 25_000, tdur: 1_000 })
    const computed = event('RunTask', 225_000, { dur: 2_000, tdur: 2_000 })
    const { longest, busiest } = analyse([...madeTrace(), waited, computed], plainName)
    expect(longest.map(({ ms, processorMs }) => [ms, processorMs])).toEqual([
      [30, 30],
      [25, 1],
      [10, 10],
      [4, 4],
      [2, 2],
    ])
    expect(busiest.map(({ processorMs }) => processorMs)).toEqual([30, 10, 4, 2, 1])
  })

  it('leaves other processes out', () => {
    const others = [event('RunTask', 150_000, { dur: 40_000, pid: 8 }), event('Layout', 150_000, { pid: 8 })]
    expect(analyse([...madeTrace(), ...others], plainName)).toEqual(analyse(madeTrace(), plainName))
  })

  it('ends with the mark of the end', () => {
    const end = event('phase end', 225_000, { cat: 'blink.user_timing', ph: 'I' })
    const { phases, longest } = analyse([...madeTrace(), end], plainName)
    expect(phases.map(({ name, ms }) => [name, ms])).toEqual([
      ['match', 100],
      ['call', 25],
    ])
    expect(longest.map(({ ms }) => ms)).toEqual([30, 4])
  })

  it('rejects a trace without phases', () => {
    expect(() => analyse([event('RunTask', 1)], plainName)).toThrow('no phase mark')
  })
})

it('writes the summary as tables', () => {
  const ports = [{ port: 'network', sent: 12, sentBytes: 3_400, received: 9, receivedBytes: 100 }]
  const lines = summaryText(
    [{ person: 'Ada', rate: 4, analysis: analyse(madeTrace(), plainName), ports }],
    'Trace',
  ).split('\n')
  expect(lines).toContain('## Ada, CPU 4x')
  expect(lines).toContain('| phase | length | page | network |')
  expect(lines).toContain('| match | 100 | 20 | 4 |')
  expect(lines).toContain('| match | 1 | 2 | 0 | 0 | 1 | 0 | 5.0 |')
  expect(lines).toContain('| 30 | 30 | page | match | 80 | a (12.0), b (12.0) |')
  expect(lines).toContain('| network | 12 | 3.4 | 9 | 0.1 |')
})
