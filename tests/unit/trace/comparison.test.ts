import { expect, it } from 'vitest'
import { comparisonText } from '../../trace/against.ts'
import { analyse } from '../../trace/analysis.ts'
import type { Result } from '../../trace/summary.ts'
import { event, madeTrace, plainName } from './made-trace.ts'

function resultOf(person: string, more: readonly ReturnType<typeof event>[] = []): Result {
  return { person, rate: 1, analysis: analyse([...madeTrace(), ...more], plainName), ports: [] }
}

it('compares the recordings of two commits together and one by one, and marks what differs', () => {
  const layouts = [1, 2, 3].map((after) => event('Layout', 150_000 + after, { dur: 2_000 }))
  const late = event('phase late', 230_000, { cat: 'blink.user_timing', ph: 'I' })
  const lines = comparisonText(
    [resultOf('Ada', layouts), resultOf('Bela')],
    [resultOf('Ada', [late]), resultOf('Bela')],
    'abc123',
  ).split('\n')
  expect(lines[0]).toBe('# This tree / abc123')
  expect(lines.filter((line) => /^(?:## |\| (?:match|late|all) )/.test(line))).toEqual([
    '## All recordings together',
    '| match | **5 / 2** | 0 / 0 | 0 / 0 | 2 / 2 | 0 / 0 | 5 / 5 | 40 / 40 |',
    '| late | - / 0 | - / 0 | - / 0 | - / 0 | - / 0 | - / 0 | - / 10 |',
    '| all | **5 / 2** | 2 / 2 | 0 / 0 | 2 / 2 | 3 / 3 | 5 / 5 | 80 / 80 |',
    '## Ada, CPU 1x',
    '| match | **4 / 1** | 0 / 0 | 0 / 0 | 1 / 1 | 0 / 0 | 5 / 5 | 20 / 20 |',
    '| late | - / 0 | - / 0 | - / 0 | - / 0 | - / 0 | - / 0 | - / 10 |',
    '| all | **4 / 1** | 1 / 1 | 0 / 0 | 1 / 1 | 2 / 2 | 5 / 5 | 40 / 40 |',
    '## Bela, CPU 1x',
    '| match | 1 / 1 | 0 / 0 | 0 / 0 | 1 / 1 | 0 / 0 | 5 / 5 | 20 / 20 |',
    '| all | 1 / 1 | 1 / 1 | 0 / 0 | 1 / 1 | 2 / 2 | 5 / 5 | 40 / 40 |',
  ])
})
