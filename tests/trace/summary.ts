import type { Analysis, Phase } from './analysis.ts'
import type { PortCount } from './count-ports.ts'

/** One person's way through the journey at one speed of the processor. */
export type Result = { person: string; rate: number; analysis: Analysis; ports: PortCount[] }

export function summaryText(results: readonly Result[], title: string): string {
  return [`# ${title}`, '', ...results.flatMap(resultLines)].join('\n')
}

function resultLines({ person, rate, analysis, ports }: Result): string[] {
  const { phases, longest, busiest } = analysis
  const threads = threadsOf(phases)
  return [
    `## ${person}, CPU ${rate}x`,
    '',
    "Milliseconds in tasks, by thread and phase. The slowdown holds for the page's thread; workers run at full speed.",
    '',
    ...table(
      ['phase', 'length', ...threads],
      phases.map(({ name, ms, threads: spent }) => [
        name,
        ...[ms, ...threads.map((thread) => spent[thread] ?? 0)].map(whole),
      ]),
    ),
    '',
    ...table(
      ['phase', 'layouts', 'ms', 'style recalculations', 'ms', 'requests', 'KB received', 'largest heap, MB'],
      phases.map(({ name, layouts, styles, requests, heap }) => [
        name,
        whole(layouts.count),
        whole(layouts.ms),
        whole(styles.count),
        whole(styles.ms),
        whole(requests.count),
        whole(requests.bytes / 1_000),
        (heap / 1_000_000).toFixed(1),
      ]),
    ),
    '',
    ...rendersLines(phases),
    'The longest tasks, with the functions that took most of their own time. What a task did not compute, it waited: for the processor',
    'on a busy machine, or for another thread.',
    '',
    ...taskTable(longest),
    '',
    'The tasks that computed most:',
    '',
    ...taskTable(busiest),
    '',
    ...(ports.length > 0 ? ['Messages of the page, by port:', '', ...portTable(ports), ''] : []),
  ]
}

/** Components with fewer renders in the whole journey are left out. */
const COMPONENTS = 25

function rendersLines(phases: readonly Phase[]): string[] {
  const sums = new Map<string, { count: number; ms: number }>()
  for (const { component, count, ms } of phases.flatMap(({ renders }) => renders)) {
    const sum = sums.get(component) ?? { count: 0, ms: 0 }
    sums.set(component, { count: sum.count + count, ms: sum.ms + ms })
  }
  if (sums.size === 0) return ["No renders: the build draws no tracks of React's.", '']
  const most = [...sums].sort(([, one], [, other]) => other.count - one.count || other.ms - one.ms).slice(0, COMPONENTS)
  return [
    `Renders by component and phase (${most.length} of ${sums.size} components; ms with the components below, of all phases):`,
    '',
    ...table(
      ['component', 'renders', 'ms', ...phases.map(({ name }) => name)],
      most.map(([component, { count, ms }]) => [
        component,
        whole(count),
        ms.toFixed(1),
        ...phases.map(({ renders }) => whole(renders.find((row) => row.component === component)?.count ?? 0)),
      ]),
    ),
    '',
  ]
}

function taskTable(tasks: Analysis['longest']): string[] {
  return table(
    ['ms', 'computed', 'thread', 'phase', 'at ms', 'functions'],
    tasks.map(({ ms, processorMs, thread, phase, startMs, functions }) => [
      whole(ms),
      whole(processorMs),
      thread,
      phase,
      whole(startMs),
      functions.map(({ name, ms: own }) => `${name} (${own.toFixed(1)})`).join(', ') || '(no function of a script)',
    ]),
  )
}

function portTable(ports: readonly PortCount[]): string[] {
  return table(
    ['port', 'sent', 'KB', 'received', 'KB'],
    ports.map(({ port, sent, sentBytes, received, receivedBytes }) => [
      port,
      whole(sent),
      (sentBytes / 1_000).toFixed(1),
      whole(received),
      (receivedBytes / 1_000).toFixed(1),
    ]),
  )
}

/** The threads with tasks in any phase, those with most first. */
function threadsOf(phases: readonly Phase[]): string[] {
  const sums = new Map<string, number>()
  for (const { threads } of phases)
    for (const [thread, ms] of Object.entries(threads)) sums.set(thread, (sums.get(thread) ?? 0) + ms)
  return [...sums].sort(([, one], [, other]) => other - one).map(([thread]) => thread)
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(line)]
}

export function whole(value: number): string {
  return value.toFixed(0)
}
