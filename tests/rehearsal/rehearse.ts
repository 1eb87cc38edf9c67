import { writeFileSync } from 'node:fs'
import { pollUntil } from '../support/poll-until.ts'
import { createDrills, type Drill } from './drills.ts'
import { folderOf, setUpNetwork } from './machine.ts'
import { createMonitoring, FASTER, Pager } from './monitoring.ts'
import { createParts } from './parts.ts'
import { arrive, type Browser, candidateTypes, chat, hideAddress, leave, meet, openBrowser } from './people.ts'
import { Provider } from './provider.ts'

const ALERT_MS = 120_000
const RESULTS = 'test-results/rehearsal/results.md'

const lines: string[] = []

function say(text: string): void {
  process.stdout.write(`${text}\n`)
  lines.push(text)
  writeFileSync(RESULTS, `${lines.join('\n')}\n`)
}

const since = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`

/** Two people meet and write to each other; `hidden` through the relay alone. */
async function meetThroughAll(browser: Browser, hidden: boolean): Promise<void> {
  const two = [await arrive(browser, 'Ada'), await arrive(browser, 'Bela')] as const
  try {
    if (hidden) for (const person of two) await hideAddress(person)
    await meet(two)
    await chat(two[0], two[1], 'Hello through all of it')
    const types = await candidateTypes(two[0])
    if (hidden && types.some((type) => type !== 'relay'))
      throw new Error(`People who hide their address met over ${types}`)
    say(`met       over candidates of type ${types.join(' and ')}`)
  } finally {
    await leave(two)
  }
}

async function expectAlerts(drill: Drill, pager: Pager, seen: Set<string>, broken: number): Promise<void> {
  for (const alert of drill.alerts) {
    const fires = () => {
      for (const name of pager.firing) seen.add(name)
      return seen.has(alert)
    }
    await pollUntil(
      fires,
      ALERT_MS,
      () => `${drill.name}: ${alert} does not fire; ${[...seen].join(', ') || 'nothing'} does`,
    )
    say(`fired     ${alert} after ${since(broken)}: ${drill.name}`)
  }
}

/** Breaks one part, waits until its alerts fire, restores it, and waits until nothing fires. */
async function run(drill: Drill, pager: Pager): Promise<void> {
  const silent = () => pager.firing.length === 0
  await pollUntil(silent, ALERT_MS, () => `Before ${drill.name}: ${pager.firing.join(', ')} fires`)
  const seen = new Set<string>()
  const broken = performance.now()
  try {
    await drill.cause()
    await expectAlerts(drill, pager, seen, broken)
  } finally {
    await drill.restore()
  }
  const restored = performance.now()
  const clear = () => {
    for (const name of pager.firing) seen.add(name)
    return silent()
  }
  await pollUntil(clear, ALERT_MS, () => `${drill.name}: ${pager.firing.join(', ')} does not clear`)
  const others = [...seen].filter((name) => !drill.alerts.includes(name))
  say(`cleared   after ${since(restored)}${others.length > 0 ? `; also fired: ${others.join(', ')}` : ''}`)
}

/** Resolves with the exit code. `names` choose among the drills; none means all. */
export async function rehearse(names: readonly string[]): Promise<number> {
  setUpNetwork()
  const provider = new Provider()
  const pager = new Pager()
  await Promise.all([provider.start(), pager.start()])
  const parts = createParts()
  for (const part of [...Object.values(parts), ...createMonitoring()]) {
    const start = performance.now()
    await part.start()
    say(`started   ${part.name} in ${since(start)}`)
  }
  const browser = await openBrowser(folderOf('browser'))
  let failed = 0
  const step = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      failed += 1
      say(`FAILED    ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  for (const hidden of [false, true]) await step(() => meetThroughAll(browser, hidden))
  say(`Alerts, with the times of the rules divided by ${FASTER}:`)
  const chosen = createDrills(parts, provider).filter(
    ({ name }) => names.length === 0 || names.some((one) => name.includes(one)),
  )
  for (const drill of chosen) await step(() => run(drill, pager))
  for (const hidden of [false, true]) await step(() => meetThroughAll(browser, hidden))
  await browser.close()
  say(failed === 0 ? 'All went well.' : `${failed} steps failed.`)
  return failed === 0 ? 0 : 1
}
