import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { type FleetWithUsers, startFleetWithUsers } from '../support/fleet/many-servers.ts'
import { type Crowd, gatherCrowd } from '../support/hub/crowd.ts'
import type { CrowdPerson } from '../support/hub/crowd-person.ts'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import { startRedis } from '../support/servers/redis.ts'
import { steadily } from './cost-requests.ts'
import { type Times, timesOf } from './quantile.ts'

const REGIONS = ['eu', 'us'] as const
export type RegionName = (typeof REGIONS)[number]
const SERVERS_A_REGION = 2
/** Each direction of what goes from one region to the other. */
const DELAY_MS = 40
const CHAT_EVERY_MS = 2_000
/** One of two people presses Next this often. */
const NEXT_EVERY_MS = 40_000
const SET_UP_MS = 180_000
const HEAL_MS = 90_000

export type RegionsRun = {
  people: number
  /** Of the matches while people press Next. */
  within: number
  between: number
  waitWithin: Times
  waitBetween: Times
  /** Search times of the two people left over at the beginning: each region has an odd number, so they can only meet each other. */
  leftOver: number[]
  victims: number
  survivors: number
  /** From the kill until the people of the dead region are in the hub again, and have a message delivered. */
  placed: Times
  talking: Times
  /** Until the other people have a message delivered. */
  othersTalking: Times
  /** Of the matches inside the living region at the kill, those that go on at the end. */
  kept: number
  couldKeep: number
  /** People who do not share their match with exactly one other person at the end. */
  odd: number
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Starts proxies that delay, in a process of their own. */
async function startProxies(ports: number[]) {
  const program = fileURLToPath(new URL('./delaying-proxies.ts', import.meta.url))
  const child = spawn(process.execPath, [program, String(DELAY_MS), ...ports.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { ports: v.parse(v.array(v.number()), JSON.parse(String(line))), stop: () => void child.kill('SIGKILL') }
}

/** The people of each match that is going on, by its id. */
function matchesOf({ people }: Crowd): Map<string, CrowdPerson[]> {
  const matches = new Map<string, CrowdPerson[]>()
  for (const person of people)
    if (person.session !== null) matches.set(person.session, [...(matches.get(person.session) ?? []), person])
  return matches
}

/** How long the people of a match searched for it. */
function waitsFor(id: string, pair: CrowdPerson[]): number[] {
  return pair.flatMap(({ waits }) => waits.filter(({ session }) => session === id).map(({ ms }) => ms))
}

/** Two regions, with a Redis and two servers each, and one PostgreSQL in the first one. Kills a region with its Redis. */
export async function benchRegions(people: number, seconds: number, victim: RegionName): Promise<RegionsRun> {
  const postgres = await startPostgres()
  const redis = { eu: await startRedis(), us: await startRedis() }
  const proxies = await startProxies([redis.eu.port, redis.us.port, postgres.port])
  const [euFar = 0, usFar = 0, postgresFar = 0] = proxies.ports
  const database = await newDatabase(postgres.port)
  const far = new URL(database)
  far.port = String(postgresFar)
  const at = (port: number) => `redis://127.0.0.1:${port}`
  const settingsOf = (region: RegionName) => ({
    database: region === 'eu' ? database : far.href,
    redis: redis[region].url,
    env: { REGION: region, REGION_REDIS_URLS: region === 'eu' ? `us=${at(usFar)}` : `eu=${at(euFar)}` },
  })
  const fleets = {
    eu: await startFleetWithUsers(SERVERS_A_REGION, settingsOf('eu')),
    us: await startFleetWithUsers(SERVERS_A_REGION, settingsOf('us')),
  }
  const regionAt = new Map(REGIONS.flatMap((name) => fleets[name].urls().map((url) => [url, name] as const)))
  const all: FleetWithUsers = { ...fleets.eu, servers: [...fleets.eu.servers, ...fleets.us.servers] }
  const stops: (() => Promise<void> | void)[] = []
  try {
    // An odd number in each region, so that two people can only meet each other.
    const half = 2 * Math.floor(people / 4) + 1
    const sizes = REGIONS.flatMap(() => [Math.ceil(half / 2), Math.floor(half / 2)])
    const crowd = await gatherCrowd(all, sizes, { chatEveryMs: CHAT_EVERY_MS, limitMs: SET_UP_MS })
    stops.push(() => crowd.stop())
    const regionOf = (person: CrowdPerson) => regionAt.get(person.at)
    const isWithin = (pair: CrowdPerson[]) => new Set(pair.map(regionOf)).size === 1

    const leftOver = [...matchesOf(crowd)].flatMap(([id, pair]) => (isWithin(pair) ? [] : waitsFor(id, pair)))
    for (const person of crowd.people) person.waits.length = 0
    const seen = new Map<string, { isWithin: boolean; waits: number[] }>()
    const before = new Set(matchesOf(crowd).keys())
    const stopNext = steadily(
      crowd.people.filter((_, index) => index % 2 === 0),
      NEXT_EVERY_MS,
      async (person) => person.next(),
    )
    const until = performance.now() + seconds * 1_000
    while (performance.now() < until) {
      await wait(100)
      for (const [id, pair] of matchesOf(crowd))
        if (pair.length === 2 && !before.has(id)) seen.set(id, { isWithin: isWithin(pair), waits: waitsFor(id, pair) })
    }
    await stopNext()
    await crowd.until('matched', (person) => person.session !== null)
    // The one who had to wait for the match, of its two people.
    const longest = (wanted: boolean) =>
      [...seen.values()].filter((one) => one.isWithin === wanted).map(({ waits }) => Math.max(0, ...waits))

    const victims = crowd.people.filter((person) => regionOf(person) === victim)
    const survivors = crowd.people.filter((person) => !victims.includes(person))
    const going = [...matchesOf(crowd)].filter(([, pair]) => pair.every((person) => survivors.includes(person)))
    const killedAt = performance.now()
    all.servers.splice(0, all.servers.length, ...fleets[victim === 'eu' ? 'us' : 'eu'].servers)
    await Promise.all([
      redis[victim].kill(),
      ...[...fleets[victim].servers].map((server) => fleets[victim].kill(server)),
    ])
    const placedAt = new Map<CrowdPerson, number>()
    const talkedAt = new Map<CrowdPerson, number>()
    await crowd.until(
      'talking again',
      (person) => {
        const now = performance.now() - killedAt
        const isBack = person.connected && regionOf(person) !== victim && person.inHubAt > killedAt
        if (isBack && !placedAt.has(person)) placedAt.set(person, now)
        if (isBack && person.deliveredAt > killedAt && !talkedAt.has(person)) talkedAt.set(person, now)
        return talkedAt.has(person)
      },
      HEAL_MS,
    )
    await crowd.until('matched', (person) => person.session !== null)
    await wait(3_000)
    const after = matchesOf(crowd)
    const of = (times: Map<CrowdPerson, number>, some: CrowdPerson[]) =>
      timesOf(some.map((person) => times.get(person) ?? Number.POSITIVE_INFINITY))
    return {
      people: crowd.people.length,
      within: longest(true).length,
      between: longest(false).length,
      waitWithin: timesOf(longest(true)),
      waitBetween: timesOf(longest(false)),
      leftOver,
      victims: victims.length,
      survivors: survivors.length,
      placed: of(placedAt, victims),
      talking: of(talkedAt, victims),
      othersTalking: of(talkedAt, survivors),
      kept: going.filter(([id]) => after.get(id)?.length === 2).length,
      couldKeep: going.length,
      odd: [...after.values()].filter((pair) => pair.length !== 2).flat().length,
    }
  } finally {
    for (const stop of stops) await stop()
    for (const name of REGIONS) await fleets[name].stop()
    proxies.stop()
    for (const name of REGIONS) await redis[name].stop()
    await postgres.stop()
  }
}
