import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { chromiumArgs, headlessChromiumPath } from '../../../scripts/chromium.ts'
import { LOOPBACK_PEERS } from '../../../scripts/links/coturn-process.ts'
import { startImpairedLink } from '../../../scripts/links/impaired-link.ts'
import { isNetworkName, type Network, type NetworkName, networks } from '../../../scripts/links/links.ts'
import { seriesText } from '../../support/call/call-series.ts'
import { createDice } from '../../support/dice.ts'
import { type Coturn, startCoturn } from '../../support/servers/coturn.ts'
import { startServerProcess } from '../../support/servers/server-process.ts'
import { median } from '../median.ts'
import { startBareCall } from './bare-call.ts'
import { makeMedia } from './media-files.ts'
import {
  fullAfter,
  hasStood,
  type Quality,
  qualityOf,
  readMeter,
  readRecording,
  type Snapshot,
  startMeter,
} from './meter.ts'
import { startProductCall } from './product-call.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
/** The start of a call, before which nothing is compared. */
const WARM_UP_SECONDS = 5
const CALL_SECONDS = Number(process.env.BENCH_SECONDS ?? 45)
/** A network that changes is followed for longer after its last change. */
const RECOVERY_SECONDS = 25

/**
 * Who makes the call. The product is told two estimates of the downlink: 1.3 is what Chromium says when it knows nothing. The last two
 * are choices of both users, which are measured on the first network alone unless they are asked for.
 */
const sides = ['bare', 'ours', 'ours, downlink 1.3', 'ours, saver', 'ours, sound'] as const
type Side = (typeof sides)[number]

const choices: Partial<Record<Side, 'saver' | 'sound'>> = { 'ours, saver': 'saver', 'ours, sound': 'sound' }

export type NetworkRow = {
  network: NetworkName
  side: Side
  quality: Quality
  /** Seconds from the last change of the network to a full picture; null if there was none. */
  recovery: number | null
  codecs: string
  calls: number
  /** How many of the calls stood to the end, with sound on both sides. */
  stood: number
}

/** The calls of the product and of two bare peer connections over the same impaired networks, in turns. Medians of all rounds. */
export async function benchNetworks(): Promise<NetworkRow[]> {
  const named = (process.env.BENCH_NETWORKS ?? '').split(',').filter(isNetworkName)
  const chosen = named.length > 0 ? named : (Object.keys(networks) as NetworkName[])
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
  const folder = mkdtempSync(join(tmpdir(), 'media-'))
  const coturn = await startCoturn(LOOPBACK_PEERS)
  try {
    const media = makeMedia(folder)
    const rows: NetworkRow[] = []
    for (const name of chosen) {
      const runs: NetworkRow[] = []
      const compared = sidesFrom(process.env.BENCH_SIDES, name)
      for (let round = 0; round < ROUNDS; round += 1)
        for (const side of compared) runs.push(await measure(coturn, media, name, side, round))
      for (const side of compared) {
        const row = medianRow(runs.filter((run) => run.side === side))
        if (row) rows.push(row)
      }
    }
    return rows
  } finally {
    await coturn.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sides by name, separated by semicolons. */
function sidesFrom(text: string | undefined, name: NetworkName): Side[] {
  const chosen = sides.filter((side) => text?.split(';').includes(side))
  if (chosen.length > 0) return chosen
  return sides.filter((side) => name === 'good' || choices[side] === undefined)
}

async function measure(
  coturn: Coturn,
  media: string[],
  name: NetworkName,
  side: Side,
  round: number,
): Promise<NetworkRow> {
  const network: Network = networks[name]
  const [first] = network.phases
  if (!first) throw new Error(`The network ${name} has no phase`)
  const link = await startImpairedLink(coturn.port, first.link, createDice(round + 1).next)
  const browser = await chromium.launch({
    executablePath: headlessChromiumPath(),
    args: [
      ...chromiumArgs.filter((arg) => !arg.startsWith('--use-fake-device')),
      '--use-fake-device-for-media-stream',
      ...media,
    ],
  })
  const timers: NodeJS.Timeout[] = []
  let stopServer = async () => {}
  try {
    let pages: Page[]
    if (side === 'bare') pages = await startBareCall(browser, link.port, coturn.login(600))
    else {
      const turn = { ...coturn.env, TURN_URL: `turn:127.0.0.1:${link.port}?transport=udp` }
      const server = await startServerProcess(turn)
      stopServer = async () => void (await server.stop())
      const downlink = side === 'ours, downlink 1.3' ? 1.3 : 10
      pages = await startProductCall(browser, server.url, { downlink, choice: choices[side] })
    }
    for (const page of pages) await startMeter(page)
    for (const { fromSecond, link: next } of network.phases)
      timers.push(setTimeout(() => link.change(next), fromSecond * 1_000))
    const lastChange = network.phases.at(-1)?.fromSecond ?? 0
    const seconds = lastChange === 0 ? CALL_SECONDS : lastChange + RECOVERY_SECONDS
    await pages[0]?.waitForTimeout(seconds * 1_000)
    const meters = await Promise.all(pages.map(readMeter))
    const folder = process.env.BENCH_RECORD
    if (folder && side === 'bare' && pages[0])
      writeFileSync(join(folder, `${name}.csv`), seriesText(await readRecording(pages[0])))
    const both = meters.map(({ snapshots }) => qualityOf(snapshots, WARM_UP_SECONDS))
    const row = {
      network: name,
      side,
      quality: meanQuality(both),
      recovery: lastChange === 0 ? null : worst(meters.map(({ snapshots }) => fullAfter(snapshots, lastChange))),
      codecs: meters[0]?.codecs ?? '',
      calls: 1,
      stood: meters.every(({ snapshots }) => hasStood(snapshots, seconds)) ? 1 : 0,
    }
    if (process.env.BENCH_VERBOSE)
      print(
        row,
        meters.map(({ snapshots }) => snapshots),
      )
    return row
  } finally {
    for (const timer of timers) clearTimeout(timer)
    await closeBrowser(browser)
    await stopServer()
    await link.close()
  }
}

async function closeBrowser(browser: Browser): Promise<void> {
  for (const context of browser.contexts()) await context.close()
  await browser.close()
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]) => sum(values) / Math.max(1, values.length)
const worst = (values: readonly (number | null)[]) =>
  values.includes(null) ? null : Math.max(...values.map((value) => value ?? 0))

function combine(all: readonly Quality[], by: (values: readonly number[]) => number): Quality {
  const times = all.map((each) => each.fullAfter ?? Number.POSITIVE_INFINITY)
  const full = by(times)
  return {
    fps: by(all.map(({ fps }) => fps)),
    lines: by(all.map(({ lines }) => lines)),
    frozen: by(all.map(({ frozen }) => frozen)),
    concealed: by(all.map(({ concealed }) => concealed)),
    fullAfter: Number.isFinite(full) ? full : null,
    longestStill: by(all.map(({ longestStill }) => longestStill)),
    megabytesAnHour: by(all.map(({ megabytesAnHour }) => megabytesAnHour)),
  }
}

/** The mean of what the two people received. */
const meanQuality = (both: readonly Quality[]) => combine(both, mean)

function medianRow(runs: readonly NetworkRow[]): NetworkRow | null {
  const [first] = runs
  if (!first) return null
  const recovery = median(runs.map((run) => run.recovery ?? Number.POSITIVE_INFINITY))
  return {
    ...first,
    quality: combine(
      runs.map(({ quality }) => quality),
      median,
    ),
    recovery: Number.isFinite(recovery) ? recovery : null,
    calls: runs.length,
    stood: sum(runs.map(({ stood }) => stood)),
  }
}

export function textOf({ network, side, quality, recovery, codecs, calls, stood }: NetworkRow): string {
  const { fps, lines, frozen, concealed, fullAfter: full, longestStill, megabytesAnHour } = quality
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  return [
    `${networks[network].name} | ${side}`,
    `${fps.toFixed(1)} fps, ${lines.toFixed(0)} lines, frozen ${percent(frozen)}, concealed ${percent(concealed)}`,
    `full after ${full?.toFixed(1) ?? 'never'} s, longest still ${longestStill.toFixed(1)} s`,
    `${megabytesAnHour.toFixed(0)} MB/h`,
    ...(recovery === null ? [] : [`full again ${recovery.toFixed(1)} s after the change`]),
    `${stood} of ${calls} calls stood`,
    codecs,
  ].join(' | ')
}

function print(row: NetworkRow, both: Snapshot[][]): void {
  console.log(textOf(row))
  for (const snapshots of both) {
    const seconds = snapshots.filter((_, index) => index % 4 === 0)
    console.log(`  lines ${seconds.map(({ lines }) => lines).join(' ')}`)
    console.log(
      `  fps   ${seconds.map(({ frames }, index) => ((frames - (seconds[index - 1]?.frames ?? 0)) / 2).toFixed(0)).join(' ')}`,
    )
    console.log(
      `  still ${seconds.map(({ frozenSeconds }, index) => (frozenSeconds - (seconds[index - 1]?.frozenSeconds ?? 0)).toFixed(1)).join(' ')}`,
    )
    const madeUp = ({ concealed, sounded }: Snapshot, before: Snapshot | undefined) =>
      (concealed - (before?.concealed ?? 0)) / Math.max(1, sounded - (before?.sounded ?? 0))
    console.log(`  sound ${seconds.map((now, index) => (100 * madeUp(now, seconds[index - 1])).toFixed(1)).join(' ')}`)
    console.log(`  kbps  ${seconds.map(({ availableKbps }) => availableKbps.toFixed(0)).join(' ')}`)
    console.log(`  limit ${seconds.map(({ allowedKbps }) => allowedKbps.toFixed(0)).join(' ')}`)
    console.log(`  rtt   ${seconds.map(({ roundTripMs }) => roundTripMs.toFixed(0)).join(' ')}`)
    console.log(`  delay ${seconds.map(({ jitterBufferMs }) => jitterBufferMs.toFixed(0)).join(' ')}`)
  }
}
