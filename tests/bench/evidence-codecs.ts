import { chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { LOOPBACK_PEERS } from '../../scripts/links/coturn-process.ts'
import { startImpairedLink } from '../../scripts/links/impaired-link.ts'
import { pathOf } from '../../scripts/programs.ts'
import { AGREEING_BITS } from '../../server/moderation/rules/picture-agreement.ts'
import { cleanFrame } from '../../server/platform/pictures/decode-picture.ts'
import { hashDistance } from '../../server/platform/rules/perceptual-hash.ts'
import { createDice, type Dice } from '../support/dice.ts'
import { startCoturn } from '../support/servers/coturn.ts'
import { openBenchSite } from './bench-site.ts'
import { scenes } from './curtain-pictures.ts'
import { momentOf, sceneOf, shotOf } from './evidence-pairs/scenes.ts'

/** How far apart the hashes of both pictures of a report are after a real call: codecs, bitrates and lost packets. */

const CODECS = ['VP8', 'VP9', 'H264', 'AV1'] as const
type Codec = (typeof CODECS)[number]
const conditions = [0.1, 0].flatMap((loss) => [100, 300, 1_000].map((kbps) => ({ kbps, loss })))
type Condition = (typeof conditions)[number]

/** How long a picture is shown before both ends are captured, and then what the camera shows a moment later. */
const SHOWN_MS = 2_000
const LATER_MS = 800
const PEOPLE = 5
const others = ['heads', 'drawn faces', 'faces and hands', 'rooms'] as const

/** What the camera shows at first and a moment later, as PNG. */
type Shown = { first: Buffer; later: Buffer }

async function picturesOf(dice: Dice): Promise<Shown[]> {
  const shown: Shown[] = []
  for (let seed = 1; seed <= PEOPLE; seed += 1) {
    const scene = sceneOf(seed)
    shown.push({ first: await shotOf(scene), later: await shotOf(scene, momentOf(dice)) })
  }
  for (const kind of others) {
    const first = await scenes[kind](dice)
    shown.push({ first, later: await moved(first, dice) })
  }
  return shown
}

/** A camera that has moved by up to 4 % of the picture, and its light. */
async function moved(picture: Buffer, dice: Dice): Promise<Buffer> {
  const [left, top] = [dice.below(26), dice.below(20)]
  return sharp(picture)
    .removeAlpha()
    .extract({ left, top, width: 640 - 26, height: 480 - 20 })
    .resize(640, 480)
    .linear(0.9 + dice.next() * 0.2, 0)
    .png()
    .toBuffer()
}

type Facts = { codec: string; kbps: number; lines: number; lost: number }
type Prints = { own: string | null; at: Record<Codec, string | null>; later: Record<Codec, string | null> }
type Distances = { atOnce: number[]; later: number[]; others: number[] }
type Row = Condition & { codec: Codec; facts: Facts } & Distances

/** The page of evidence-page. */
type EvidencePage = typeof globalThis & {
  openCalls(codecs: readonly string[], kbps: number, relays: unknown): Promise<void>
  look(png: string, ms: number): Promise<void>
  captureOwn(): Promise<string>
  captureViews(): Promise<Record<Codec, string>>
  describe(): Promise<Record<Codec, Facts>>
  closeCalls(): void
}

/** The server's hash of what a browser sent. */
async function printOf(jpeg: string): Promise<string | null> {
  return (await cleanFrame(Buffer.from(jpeg, 'base64'))).print ?? null
}

async function printsOf(views: Record<Codec, string>): Promise<Record<Codec, string | null>> {
  const prints = await Promise.all(CODECS.map(async (codec) => [codec, await printOf(views[codec])] as const))
  return Object.fromEntries(prints) as Record<Codec, string | null>
}

function look(page: Page, picture: Buffer, ms: number): Promise<void> {
  return page.evaluate(([png, time]) => (globalThis as EvidencePage).look(png, time), [
    picture.toString('base64'),
    ms,
  ] as const)
}

async function captureAll(page: Page, shown: readonly Shown[]): Promise<Prints[]> {
  const prints: Prints[] = []
  for (const { first, later } of shown) {
    await look(page, first, SHOWN_MS)
    const [own, views] = await page.evaluate(() => {
      const here = globalThis as EvidencePage
      return Promise.all([here.captureOwn(), here.captureViews()])
    })
    await look(page, later, LATER_MS)
    const after = await page.evaluate(() => (globalThis as EvidencePage).captureViews())
    prints.push({ own: await printOf(own), at: await printsOf(views), later: await printsOf(after) })
  }
  return prints
}

function distancesOf(prints: readonly Prints[], codec: Codec): Distances {
  const distances: Distances = { atOnce: [], later: [], others: [] }
  const add = (to: number[], one: string | null, other: string | null) => {
    if (one !== null && other !== null) to.push(hashDistance(one, other))
  }
  for (const [index, { own, at, later }] of prints.entries()) {
    add(distances.atOnce, own, at[codec])
    add(distances.later, own, later[codec])
    for (const [other, { at: view }] of prints.entries()) if (other !== index) add(distances.others, own, view[codec])
  }
  return distances
}

async function measure(page: Page, condition: Condition, relays: unknown, shown: readonly Shown[]): Promise<Row[]> {
  if (shown[0]) await look(page, shown[0].first, 0)
  await page.evaluate(([codecs, kbps, way]) => (globalThis as EvidencePage).openCalls(codecs, kbps, way), [
    CODECS,
    condition.kbps,
    relays,
  ] as const)
  const prints = await captureAll(page, shown)
  const facts = await page.evaluate(() => (globalThis as EvidencePage).describe())
  await page.evaluate(() => (globalThis as EvidencePage).closeCalls())
  return CODECS.map((codec) => ({ ...condition, codec, facts: facts[codec], ...distancesOf(prints, codec) }))
}

/** Yields the calls of each condition. */
async function* measureAll(): AsyncGenerator<Row[]> {
  const shown = await picturesOf(createDice(1))
  const site = await openBenchSite('tests/bench/evidence-page')
  // The calls of a condition allocate addresses that outlive them.
  const coturn = await startCoturn([...LOOPBACK_PEERS, '--user-quota=1000'])
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  try {
    const page = await browser.newPage()
    await page.goto(site.url)
    await page.waitForFunction(() => 'openCalls' in globalThis)
    for (const condition of conditions) {
      const path = { kbitPerSecond: 20_000, delayMs: 40, jitterMs: 0, loss: condition.loss, burst: 1 }
      const link = await startImpairedLink(coturn.port, path, createDice(1).next)
      const relay = (port: number) => ({ urls: `turn:127.0.0.1:${port}?transport=udp`, ...coturn.login(900) })
      // The sender's packets alone are lost, once: the receiver is at the relay.
      const relays = { sender: relay(link.port), receiver: relay(coturn.port) }
      yield await measure(page, condition, relays, shown)
      await link.close()
    }
  } finally {
    await browser.close()
    await coturn.stop()
    await site.close()
  }
}

function rangeOf(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return `${sorted[0]} to ${sorted.at(-1)}, half ${sorted[Math.floor(sorted.length / 2)]}`
}

function lineOf({ codec, kbps, loss, facts, atOnce, later, others: different }: Row): string {
  const beyond = (values: readonly number[]) =>
    `${values.filter((bits) => bits > AGREEING_BITS).length} of ${values.length}`
  const within = `${different.filter((bits) => bits <= AGREEING_BITS).length} of ${different.length}`
  const lost = loss > 0 ? `${(facts.lost * 100).toFixed(0)} %` : 'none'
  return `| ${codec} | ${kbps} (${facts.kbps}, ${facts.lines} lines) | ${lost} | ${rangeOf(atOnce)} | ${beyond(atOnce)} | ${rangeOf(later)} | ${beyond(later)} | ${rangeOf(different)} | ${within} |`
}

/** Prints the table while it is measured; packets are lost on the way to coturn. */
export async function printCodecs(): Promise<void> {
  if (pathOf('coturn') === '') {
    console.log(
      'skipped  pictures after real codecs: no coturn here (Debian: apt-get install coturn, or set COTURN_PATH)',
    )
    return
  }
  console.log(
    '| codec | kbit/s allowed (received) | packets lost | at once | said to disagree | 0.8 s later | said to disagree | another scene | said to agree |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|')
  for await (const rows of measureAll())
    for (const row of rows) {
      const used = row.facts.codec
      if (!used.includes(row.codec)) throw new Error(`${used} was sent in place of ${row.codec}`)
      console.log(lineOf(row))
    }
}
