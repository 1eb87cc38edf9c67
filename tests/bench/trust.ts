import { HOUR_MS, MINUTE_MS } from '#protocol/durations.ts'
import type { Origin } from '../../server/matching/rules/trust.ts'
import { createDice } from '../support/dice.ts'
import { runSeed } from '../support/run-seed.ts'
import { botKinds, type Kind, type Link, Person } from './trust-people.ts'
import { createWorld } from './trust-world.ts'

/**
 * Honest people and programs that fail them search, talk and search again, on the server's own queue, matches and trust and a clock that jumps.
 * An honest call is one of two honest people who see each other; a wait lasts from the wish for a match to such a call.
 */

/** `neighbours`: so many honest people are in the network of the bots. */
type Bots = { kind: Exclude<Kind, 'honest'>; count: number; isOneNetwork: boolean; neighbours?: number }
type Scenario = { honest: number; bots: Bots | null; ms: number; hasTrust: boolean; linkOf?: (index: number) => Link }

type TrustRow = {
  callsAnHour: number
  /** Seconds. */
  waits: { median: number; p90: number }
  /** Honest people without any call. */
  lonely: number
  /** Honest people who waited apart at all, and for more than a minute in all. */
  slowed: number
  slowedLong: number
}

const good: Link = { rttMs: 60, failing: 0.02, losing: 0.005 }

function originOf(network: string, device: string): Origin {
  return { network, device: `${network} ${device}` }
}

function quantile(sorted: number[], share: number): number {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) / 1_000
}

/** Runs one scenario; the same numbers for the same seed. */
async function simulateTrust({ honest, bots, ms, hasTrust, linkOf }: Scenario): Promise<TrustRow> {
  const dice = createDice(runSeed)
  const people = new Map<string, Person>()
  const mutual =
    bots?.kind === 'silent, block each other' ? Array.from({ length: bots.count }, (_, index) => `bot ${index}`) : []
  const blockedWith = (user: string) => (user.startsWith('bot') ? mutual : [])
  const world = createWorld({ random: dice.next, hasTrust, blockedWith })
  const deps = { world, dice, people }
  const add = (name: string, kind: Kind, origin: Origin, link: Link) =>
    people.set(name, new Person({ name, kind, origin, link }, deps))
  for (let index = 0; index < honest; index += 1)
    add(
      `honest ${index}`,
      'honest',
      originOf(index < (bots?.neighbours ?? 0) ? 'bots' : `home ${index}`, 'kind 0'),
      linkOf?.(index) ?? good,
    )
  for (let index = 0; index < (bots?.count ?? 0); index += 1)
    add(
      `bot ${index}`,
      bots?.kind ?? 'silent',
      originOf(bots?.isOneNetwork ? 'bots' : `bots ${index}`, `kind ${index % 3}`),
      good,
    )
  // Everybody comes within the first seconds, more people over a longer time.
  for (const person of people.values()) world.clock.after(dice.next() * (2_000 + 5 * people.size), () => person.start())
  await world.clock.advance(ms)
  world.matching.stop()
  world.matches.stop()
  for (const person of people.values()) person.stop()
  const records = [...people.values()].filter(({ kind }) => kind === 'honest').map(({ record }) => record)
  const waits = records.flatMap((record) => record.waits).sort((one, other) => one - other)
  return {
    callsAnHour: (records.reduce((sum, { calls }) => sum + calls, 0) / 2 / ms) * HOUR_MS,
    waits: { median: quantile(waits, 0.5), p90: quantile(waits, 0.9) },
    lonely: records.filter(({ calls }) => calls === 0).length,
    slowed: records.filter(({ slowedMs }) => slowedMs > 0).length,
    slowedLong: records.filter(({ slowedMs }) => slowedMs > MINUTE_MS).length,
  }
}

function lineOf(row: TrustRow, plain: TrustRow): string {
  const { callsAnHour, waits, lonely, slowed, slowedLong } = row
  const share = `${Math.round((100 * callsAnHour) / plain.callsAnHour)} %`.padStart(5)
  return [
    `${share} of the honest calls`,
    `wait p50 ${waits.median.toFixed(1)} p90 ${waits.p90.toFixed(1)} s`,
    `${lonely} never met`,
    `slowed ${slowed}, over a minute ${slowedLong}`,
  ].join(', ')
}

/** Three people in ten have such a link, from an office that closes most ports to a train. */
const bad: Link = { rttMs: 600, failing: 0.4, losing: 0.1 }
const BAD_SHARE = 0.3

async function badNetworksLine(): Promise<string> {
  const dice = createDice(runSeed)
  const links = Array.from({ length: 10_000 }, () =>
    dice.chance(BAD_SHARE) ? { ...bad, failing: dice.next() * 0.6 } : good,
  )
  const linkOf = (index: number) => links[index] ?? good
  const { slowed, slowedLong } = await simulateTrust({
    honest: 10_000,
    bots: null,
    ms: 5 * MINUTE_MS,
    hasTrust: true,
    linkOf,
  })
  return `10,000 honest people, of whom ${100 * BAD_SHARE} % have a bad network: ${slowed} slowed, ${slowedLong} for more than a minute`
}

/** From the first seconds, when nobody is known yet. */
const sizes = [
  { honest: 20, ms: 90_000, shares: [0.25, 1, 3] },
  { honest: 20, ms: 10 * MINUTE_MS, shares: [3] },
  { honest: 200, ms: 90_000, shares: [1, 3] },
  { honest: 2_000, ms: 45_000, shares: [1] },
]

/** Lines for each number of people, kind of bots and number of bots: without what puts bots apart, and with it for bots of one network and of many. */
export async function* trustReport(): AsyncGenerator<string> {
  for (const { honest, ms, shares } of sizes) {
    const plain = await simulateTrust({ honest, bots: null, ms, hasTrust: true })
    yield `${honest} honest for ${ms / 1_000} s, no bots: ${Math.round(plain.callsAnHour)} calls an hour, ${lineOf(plain, plain)}`
    for (const kind of botKinds)
      for (const share of shares) {
        const run = (isOneNetwork: boolean, hasTrust: boolean) =>
          simulateTrust({ honest, bots: { kind, count: share * honest, isOneNetwork }, ms, hasTrust })
        yield `  ${share * honest} bots (${kind})`
        yield `    without:              ${lineOf(await run(true, false), plain)}`
        yield `    with, one network:    ${lineOf(await run(true, true), plain)}`
        yield `    with, a network each: ${lineOf(await run(false, true), plain)}`
      }
    if (honest > 20) continue
    const bots: Bots = { kind: 'silent', count: 3 * honest, isOneNetwork: true, neighbours: honest / 2 }
    yield `  ${bots.count} bots (${bots.kind}) of one network, and half of the honest people behind the same address`
    yield `    with:                 ${lineOf(await simulateTrust({ honest, bots, ms, hasTrust: true }), plain)}`
  }
  yield await badNetworksLine()
}
