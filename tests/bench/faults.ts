import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { LOOPBACK_PEERS } from '../../scripts/links/coturn-process.ts'
import { FREE_MS } from '../../src/tools/faults/messages.ts'
import { CLOSING_MS, limits } from '../../src/tools/recorder/findings.ts'
import { startCoturn } from '../support/servers/coturn.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { endOnSignals, thenEnd } from '../trace/ending.ts'
import { type Person, say, searchTogether, seeEachOther, signInThroughPages, withPeople } from '../trace/journey.ts'
import { printPromise } from './print.ts'

/** The planted faults that are findings; each has the name of its finding. No fault leaves a peer connection. */
const plantedFaults = Object.keys(limits).filter((kind) => kind !== 'leaked-connection')

/** `fault` is empty for the journey without one. `broken` is where the journey ended too early; the fault may be the reason. */
type NamedFault = { fault: string; found: { kind: string; text: string }[]; isRight: boolean; broken: string }

/** Above the time limit of an invocation of the hub. */
const CALL_MS = 18_000
/** Time for a step that a fault delays: the hub client gives up after 15 s and repeats. */
const STEP_MS = 45_000

/**
 * Goes the journey with each planted fault and without one, two browsers and a relay each time, and reads what the page /profile of the
 * person with the fault names. BENCH_FAULTS chooses faults, separated by commas; `none` is the journey without one. BENCH_PICTURES is a
 * folder for a picture of each part of that page, and for its export.
 */
async function* benchFaults(): AsyncGenerator<NamedFault> {
  const chosen = process.env.BENCH_FAULTS?.split(',')
  execFileSync(process.execPath, ['scripts/build.ts', '--profiling'], { stdio: 'inherit' })
  const coturn = await startCoturn(LOOPBACK_PEERS)
  try {
    for (const fault of ['', ...plantedFaults])
      if (!chosen || chosen.includes(fault || 'none')) yield await nameFault(fault, coturn.env)
  } finally {
    await coturn.stop()
    // The next `--if-needed` builds the product again.
    rmSync('dist/index.html', { force: true })
  }
}

async function nameFault(fault: string, env: Record<string, string>): Promise<NamedFault> {
  // A server of its own: people who have met are matched again only after a wait.
  const server = await startServerProcess({ ...env, PROFILE_PAGE: 'on', NEXT_WAIT_SECONDS: '1' })
  return await thenEnd(
    () => withPeople(server.url, ['Ada', 'Bela'], (people) => goAndRead(people, fault)),
    async () => void (await server.stop()),
  )
}

async function goAndRead(people: readonly Person[], fault: string): Promise<NamedFault> {
  const [ada, bela] = people
  if (!ada || !bela) throw new Error('A journey needs two people')
  for (const { page } of people) page.setDefaultTimeout(STEP_MS)
  const broken = await goWithFault(ada, bela, fault).then(
    () => '',
    (thrown: unknown) => stripVTControlCharacters(String(thrown)).split('\n').slice(0, 3).join(' '),
  )
  const found = await readFindings(ada)
  const folder = process.env.BENCH_PICTURES
  if (folder) await takePictures(ada, join(folder, fault || 'none'))
  const isRight = fault === '' ? found.length === 0 : found.some(({ kind }) => kind === fault)
  return { fault, found, isRight, broken }
}

async function goWithFault(ada: Person, bela: Person, fault: string): Promise<void> {
  const both = [ada, bela]
  await ada.page.goto(fault === '' ? '/' : `/?fault=${fault}`)
  await bela.page.goto('/')
  // The recorder is loaded once the user can act.
  await ada.page.waitForFunction(() => !String(URL.createObjectURL).includes('[native code]'))
  await Promise.all(both.map(signInThroughPages))
  // The fault that holds requests holds those of the search, too.
  if (fault === 'stuck-queue') await ada.page.waitForTimeout(FREE_MS)
  await searchTogether(both)
  await seeEachOther(both)
  await ada.page.waitForTimeout(CALL_MS)
  for (const text of ['Hello', 'How are you?']) {
    await say(ada, bela, text)
    await say(bela, ada, `${text} Fine.`)
  }
  // These two have met, so both search on.
  await ada.page.getByRole('button', { name: 'Next match', exact: true }).click()
  await ada.page.getByRole('button', { name: 'Cancel Matching', exact: true }).waitFor()
}

/** Opens the page within the visit, and waits until what the call has left is judged. */
async function readFindings({ page }: Person): Promise<NamedFault['found']> {
  await page.evaluate(() => {
    history.pushState(null, '', '/profile')
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  })
  await page.getByRole('heading', { name: 'What stands out' }).waitFor()
  await page.waitForTimeout(CLOSING_MS + 1_000)
  await page.getByRole('button', { name: 'Refresh' }).click()
  return await page
    .locator('[data-finding]')
    .evaluateAll((items) =>
      items.map((item) => ({ kind: (item as HTMLElement).dataset.finding ?? '', text: item.textContent ?? '' })),
    )
}

async function takePictures({ page }: Person, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  // Its banner lies over what is pictured.
  await page.getByRole('button', { name: 'Necessary only' }).click()
  // Steps of earlier calls are folded.
  await page.locator('main details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '')
  })
  const parts = [page.locator('section:has([data-finding])'), ...(await page.locator('main section[aria-label]').all())]
  for (const part of parts) {
    if ((await part.count()) === 0) continue
    const label = (await part.getAttribute('aria-label')) ?? 'What stands out'
    const [name = ''] = label.toLowerCase().split(':')
    await part.screenshot({ path: join(folder, `${name.replaceAll(' ', '-')}.png`), animations: 'disabled' })
  }
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Everything (JSON)' }).click()
  await (await download).saveAs(join(folder, 'profile.json'))
}

const BAR = 8

/** Prints a line each, and how many of the faults the page named. */
export async function printFaults(): Promise<void> {
  // The browsers of the journey do not end by themselves.
  endOnSignals()
  const results: NamedFault[] = []
  for await (const result of benchFaults()) {
    results.push(result)
    const { fault, found, isRight, broken } = result
    console.log(
      `${isRight ? 'right ' : 'wrong '}  ${fault || 'no fault'}${broken && ` (the journey ended: ${broken})`}`,
    )
    for (const { kind, text } of found) console.log(`          ${kind}: ${text}`)
  }
  const planted = results.filter(({ fault }) => fault !== '')
  const right = planted.filter(({ isRight }) => isRight)
  printPromise(right.length >= BAR, `/profile names ${right.length} of ${planted.length} planted faults (bar ${BAR})`)
  for (const { found } of results.filter(({ fault }) => fault === ''))
    printPromise(found.length === 0, `${found.length} faults are named without one`)
}
