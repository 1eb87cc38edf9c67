import { writeFileSync } from 'node:fs'
import { createDrills, type Drill } from './drills.ts'
import { folderOf, setUpNetwork } from './machine.ts'
import { createMonitoring, FASTER, Pager } from './monitoring.ts'
import { createParts } from './parts.ts'
import { arrive, type Browser, candidateTypes, chat, hideAddress, leave, meet, openBrowser } from './people.ts'
import { pollUntil } from '../support/poll-until.ts'
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

/** Two people meet directly, two others through the relay alone. */
async function meetThroughAll(browser: Browser): Promise<void> {
  const two = [await arrive(browser, 'Ada'), await arrive(browser, 'Bela')] as const
  await meet(two)
  await chat(two[0], two[1], 'Hello through all of it')
  say(`met       over candidates of type ${(await candidateTypes(two[0])).join(' and ')}`)
  await leave(two)
  const hidden = [await arrive(browser, 'Cleo'), await arrive(browser, 'Dora')] as const
  for (const person of hidden) await hideAddress(person)
  await meet(hidden)
  const types = await candidateTypes(hidden[0])
  if (types.some((type) => type !== 'relay')) throw new Error(`People who hide their address met over ${types}`)
  say(`met       over candidates of type ${types.join(' and ')}`)
  await leave(hidden)
}

/** Breaks one part, waits until its alerts fire, restores it, and waits until nothing fires. */
async function run(drill: Drill, pager: Pager): Promise<void> {
  const silent = () => pager.firing.length === 0
  await pollUntil(silent, ALERT_MS, () => `Before ${drill.name}: ${pager.firing.join(', ')} fires`)
  const seen = new Set<string>()
  const broken = performance.now()
  await drill.cause()
  for (const alert of drill.alerts) {
    const fires = () => {
      for (const name of pager.firing) seen.add(name)
      return seen.has(alert)
    }
    await pollUntil(fires, ALERT_MS, () => `${drill.name}: ${alert} does not fire; ${[...seen].join(', ') || 'nothing'} does`)
    say(`fired     ${alert} after ${since(broken)}: ${drill.name}`)
  }
  const restored = performance.now()
  await drill.restore()
  say(`restored  in ${since(restored)}`)
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
  await meetThroughAll(browser)
  say(`Alerts, with the times of the rules divided by ${FASTER}:`)
  const chosen = createDrills(parts, provider).filter(({ name }) => names.length === 0 || names.some((one) => name.includes(one)))
  let failed = 0
  for (const drill of chosen) {
    try {
      await run(drill, pager)
    } catch (error) {
      failed += 1
      say(`FAILED    ${error instanceof Error ? error.message : String(error)}`)
      await drill.restore()
    }
  }
  await meetThroughAll(browser)
  await browser.close()
  say(failed === 0 ? 'All went well.' : `${failed} drills failed.`)
  return failed === 0 ? 0 : 1
}
