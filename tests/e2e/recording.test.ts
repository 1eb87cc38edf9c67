import { expect, type Page } from '@playwright/test'
import { meet, test } from './hub-network.ts'
import { expectLivePicture, say } from './people.ts'

type Stamp = { label: string; track: string }
type Recorded = typeof globalThis & { stamps?: Stamp[] }

/** Keeps what the page draws for the profiler. */
function record(): void {
  const stamps: Stamp[] = []
  Object.assign(globalThis, { stamps })
  const draw = (label: string, _start: number, _end: number, track: string) => void stamps.push({ label, track })
  console.timeStamp = draw as typeof console.timeStamp
}

const stampsOf = (page: Page) => page.evaluate(() => (globalThis as Recorded).stamps ?? [])
const tracksOf = async (page: Page) => [...new Set((await stampsOf(page)).map(({ track }) => track))]
const scriptsOf = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname))

async function trace(page: Page, address: string): Promise<void> {
  await page.addInitScript(record)
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Start video chat' })).toBeEnabled()
}

test('under ?trace a call has its curves and decisions, and both people the same id of the match', async ({
  arrive,
}) => {
  const ada = await arrive('Ada')
  const ben = await arrive('Ben')
  await trace(ben.page, '/')
  expect(await stampsOf(ben.page)).toEqual([])
  expect((await scriptsOf(ben.page)).filter((path) => path.includes('/tracks-'))).toEqual([])

  for (const { page } of [ada, ben]) await trace(page, '/?trace')
  await meet(ada, ben)
  await say(ada, 'only for you')
  const wanted = ['Match', 'Call setup', 'Hub', 'Workers', 'Governor', 'Bitrate', 'Loss', 'Frame rate', 'Lines']
  for (const { page } of [ada, ben]) {
    await expectLivePicture(page.getByLabel('Peer video'))
    await expect
      .poll(() => tracksOf(page))
      .toEqual(expect.arrayContaining([...wanted, 'Concealed sound', 'Chunks', 'Signals']))
  }
  const idOf = async (page: Page) =>
    (await stampsOf(page)).map(({ label }) => /^search \[([0-9a-f]{6})\]$/.exec(label)?.[1]).find(Boolean)
  const id = await idOf(ada.page)
  expect(id).toBeDefined()
  expect(await idOf(ben.page)).toBe(id)

  const labels = (await Promise.all([ada.page, ben.page].map(stampsOf))).flat().map(({ label }) => label)
  // Addresses of machines, mail and pages, match ids, descriptions, what was written.
  const secret = /\d+\.\d+\.\d+\.\d+|@|:\/\/|[0-9a-f]{8}-[0-9a-f]{4}|a=|only for you|Ada|Ben/
  expect(labels.filter((label) => secret.test(label))).toEqual([])
  expect(labels.filter((label) => /NaN|undefined|null/.test(label))).toEqual([])
})
