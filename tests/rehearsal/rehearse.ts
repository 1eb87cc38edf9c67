import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { pathOf } from '../../scripts/programs.ts'
import { pollUntil } from '../support/poll-until.ts'
import { deployed } from './compose.ts'
import { whyPlain } from './containers.ts'
import { createDrills } from './drills/create-drills.ts'
import type { Drill } from './drills/drill.ts'
import { hardeningChecks } from './hardening.ts'
import { folderOf, setUpNetwork } from './machine.ts'
import { createMonitoring, FASTER } from './monitoring.ts'
import { Pager } from './pager.ts'
import { createParts } from './parts.ts'
import { arrive, type Browser, candidateTypes, chat, hideAddress, leave, meet, openBrowser } from './people.ts'
import { Provider } from './provider.ts'

/** The longest of the shortened windows, twice, on a machine that does other work. */
const ALERT_MS = 300_000
const NOTE_MS = 20
const RESULTS = 'test-results/rehearsal/results.md'

const lines: string[] = []

function say(text: string): void {
  process.stdout.write(`${text}\n`)
  lines.push(text)
  writeFileSync(RESULTS, `${lines.join('\n')}\n`)
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
const since = (start: number) => seconds(performance.now() - start)
/** The table of all alerts that were seen. */
const rows: string[] = []

/** Takes half a minute of a processor, too long for the tests. */
async function checkRulesOverDays(): Promise<void> {
  await promisify(execFile)(pathOf('promtool'), ['test', 'rules', deployed('monitoring/alerts-over-days.test.yaml')])
  say('checked   the rules over days')
}

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

/** When each alert was first seen, and since when it is not seen any more. */
type Noted = Map<string, { fired: number; cleared: number | null }>

/** Notes what fires at this moment. */
function note(pager: Pager, noted: Noted): readonly string[] {
  const { firing } = pager
  const now = performance.now()
  for (const name of firing) {
    const known = noted.get(name)
    if (known) known.cleared = null
    else noted.set(name, { fired: now, cleared: null })
  }
  for (const [name, one] of noted) if (!firing.includes(name)) one.cleared ??= now
  return firing
}

function row(drill: Drill, alert: string, fired: string, cleared: string): string {
  return `| ${drill.name} | ${alert}${drill.alerts.includes(alert) ? '' : ' (also fired)'} | ${fired} | ${cleared} |`
}

/** Breaks one part, waits until its alerts fire, restores it, and waits until nothing fires. */
async function run(drill: Drill, pager: Pager): Promise<void> {
  const noted: Noted = new Map()
  const missing = () => drill.alerts.filter((alert) => !noted.has(alert))
  const isSilent = () => note(pager, noted).length === 0
  await pollUntil(isSilent, ALERT_MS, () => `Before ${drill.name}: ${pager.firing.join(', ')} fires`)
  noted.clear()
  say(`breaks    ${drill.name}`)
  const broken = performance.now()
  const noting = setInterval(() => note(pager, noted), NOTE_MS)
  try {
    await drill.cause()
    await pollUntil(
      () => missing().length === 0,
      ALERT_MS,
      () => `${drill.name}: ${missing().join(', ')} does not fire`,
    )
  } catch (error) {
    for (const [name, { fired }] of noted) rows.push(row(drill, name, seconds(fired - broken), 'not seen'))
    throw error
  } finally {
    for (const [name, { fired }] of noted) say(`fired     ${name} after ${seconds(fired - broken)}`)
    clearInterval(noting)
    await drill.restore()
  }
  const restored = performance.now()
  await pollUntil(isSilent, ALERT_MS, () => `${drill.name}: ${pager.firing.join(', ')} does not clear`)
  for (const [name, { fired, cleared }] of noted) {
    const after = cleared === null ? 0 : Math.max(0, cleared - restored)
    rows.push(row(drill, name, seconds(fired - broken), seconds(after)))
  }
  say(`cleared   after ${since(restored)}: ${[...noted.keys()].join(', ')}`)
}

/** Resolves with the exit code. `names` choose among the drills; none means all. */
export async function rehearse(names: readonly string[]): Promise<number> {
  setUpNetwork()
  say(
    whyPlain === '' ? 'runs      the services in containers' : `runs      the services as plain processes: ${whyPlain}`,
  )
  const provider = new Provider()
  const pager = new Pager()
  await Promise.all([provider.start(), pager.start()])
  const parts = createParts()
  const monitoring = createMonitoring()
  for (const part of [...Object.values(parts), ...Object.values(monitoring)]) {
    const start = performance.now()
    await part.start()
    say(`started   ${part.name} in ${since(start)}`)
  }
  await pollUntil(
    () => pager.isCalled,
    ALERT_MS,
    () => 'The pager hears nothing from Alertmanager',
  )
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
  if (whyPlain === '')
    for (const check of hardeningChecks(parts)) await step(async () => say(`checked   ${await check()}`))
  if (names.length === 0) await step(checkRulesOverDays)
  for (const hidden of [false, true]) await step(() => meetThroughAll(browser, hidden))
  say(`Alerts, with the times of the rules divided by ${FASTER}:`)
  const began = performance.now()
  const chosen = createDrills(parts, monitoring, provider).filter(
    ({ name }) => names.length === 0 || names.some((one) => name.includes(one)),
  )
  for (const drill of chosen) await step(() => run(drill, pager))
  for (const hidden of [false, true]) await step(() => meetThroughAll(browser, hidden))
  await browser.close()
  say(['| cause | alert | fired after | cleared after the repair |', '|---|---|---|---|', ...rows].join('\n'))
  say(`All drills took ${since(began)}.`)
  say(failed === 0 ? 'All went well.' : `${failed} steps failed.`)
  return failed === 0 ? 0 : 1
}
