import type { Outcomes } from '../../support/attacks/outcomes.ts'
import type { BystanderWaits, Waits } from './bystanders.ts'
import type { Memory } from './memory.ts'

const P95_MS = 100
const MEMORY_MB = 100
const MB = 1024 * 1024

export type AttackRow = {
  name: string
  what: string
  waits: BystanderWaits
  memory: { before: Memory; peak: Memory; after: Memory /** Megabytes. */; heap: number | null }
  /** Why the process ended, null while it runs. */
  end: string | null
  /** Null when the attack did not end by itself. */
  got: Outcomes | null
}

/** The bars that this row misses. */
export function missedBars({ waits, memory, end }: AttackRow): string[] {
  const missed = Object.entries(waits).flatMap(([name, { p95, failed }]) => [
    ...(p95 > P95_MS ? [`${name} p95`] : []),
    ...(failed > 0 ? [`${name} ${failed} failed`] : []),
  ])
  if ((memory.peak.own - memory.before.own) / MB > MEMORY_MB) missed.push('memory')
  if (end !== null) missed.push('process')
  return missed
}

const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0)
const mb = (bytes: number) => (bytes / MB).toFixed(0)
const waitText = ({ p50, p95, longest }: Waits) => `${ms(p50)} / ${ms(p95)} / ${ms(longest)}`

function outcomeText(got: Outcomes | null): string {
  if (got === null) return 'did not end by itself'
  const parts = Object.entries(got).map(([outcome, count]) => `${count.toLocaleString('en')} × ${outcome}`)
  return parts.join(', ') || 'nothing'
}

export const tableHead = [
  '| attack | /healthz p50 / p95 / max ms | signed-in request | chat message | MB of the server before / peak / after | MB of its processes before / peak | heap MB | process | what the attacker got | bars |',
  '|---|---|---|---|---|---|---|---|---|---|',
].join('\n')

export function tableLine(row: AttackRow): string {
  const { name, what, waits, memory, end, got } = row
  const missed = missedBars(row)
  const cells = [
    `${name}: ${what}`,
    waitText(waits.health),
    waitText(waits.api),
    waitText(waits.chat),
    `${mb(memory.before.own)} / ${mb(memory.peak.own)} / ${mb(memory.after.own)}`,
    `${mb(memory.before.started)} / ${mb(memory.peak.started)}`,
    memory.heap === null ? 'no response' : ms(memory.heap),
    end ?? 'alive',
    outcomeText(got),
    missed.length === 0 ? 'met' : `missed: ${missed.join(', ')}`,
  ]
  return `| ${cells.join(' | ')} |`
}
