import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { Pool } from '../../server/fleet/pool.ts'
import { redisClient } from '../../server/platform/redis/redis-client.ts'
import { startRedis } from '../support/servers/redis.ts'
import { Visitor } from './fleet-people.ts'
import { median } from './median.ts'

const PEOPLE = 100
const WARM_UP_MS = 2_000
const MEASURE_MS = 6_000
const TRIPS = 600
const IDLE = 1_000
const AT_ONCE = 50

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

type Server = { url: string; memory(): Promise<number>; stop(): void }

async function startServer(redis: string, pool: string): Promise<Server> {
  const path = fileURLToPath(new URL('./fleet-server.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, ['--expose-gc', path, redis, pool], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('the server has no output')
  const lines = createInterface({ input: child.stdout })
  const nextLine = async () => String((await once(lines, 'line'))[0])
  return {
    url: await nextLine(),
    async memory() {
      const line = nextLine()
      child.stdin?.write('memory\n')
      return Number(await line)
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

async function withFleet<T>(count: number, use: (servers: Server[]) => Promise<T>): Promise<T> {
  const redis = await startRedis()
  const servers: Server[] = []
  try {
    for (let index = 0; index < count; index += 1) servers.push(await startServer(redis.url, 'bench'))
    // Within this time each server has found the others.
    await wait(1_000)
    return await use(servers)
  } finally {
    for (const server of servers) server.stop()
    await redis.stop()
  }
}

function urlOf(servers: Server[], index: number): string {
  return servers[index % servers.length]?.url ?? ''
}

/** Users who press Next as soon as they are matched: matches a second, and milliseconds of waiting for a match. */
async function matchesOf(servers: Server[]): Promise<{ rate: number; p50: number; p99: number }> {
  const people: Visitor[] = []
  for (let index = 0; index < PEOPLE; index += 1) people.push(await Visitor.connect(urlOf(servers, index), `p${index}`))
  let matches = 0
  let waits: number[] = []
  for (const person of people) {
    let askedAt = 0
    const join = () => {
      askedAt = performance.now()
      person.join().catch(() => undefined)
    }
    person.onEvent = (target) => {
      if (target === 'SessionTerminated') join()
      if (target !== 'OnUserMatched') return
      waits.push(performance.now() - askedAt)
      if (person.role !== 'Caller') return
      matches += 1
      person.invoke('OnMatchedSessionTerminationRequested', person.session, person.id).then(join, () => undefined)
    }
    join()
  }
  await wait(WARM_UP_MS)
  waits = []
  const before = matches
  await wait(MEASURE_MS)
  const rate = ((matches - before) * 1_000) / MEASURE_MS
  for (const { socket } of people) socket.terminate()
  return { rate, p50: quantile(waits, 0.5), p99: quantile(waits, 0.99) }
}

export type FleetMatches = { servers: number; rate: number; p50: number; p99: number }

/** On 1, 2 and 4 server processes, which share the cores with Redis and the clients. */
export async function benchFleetMatches(): Promise<FleetMatches[]> {
  const results: FleetMatches[] = []
  for (const servers of [1, 2, 4]) results.push({ servers, ...(await withFleet(servers, matchesOf)) })
  return results
}

async function pairOf(one: string, other: string, names: [string, string]): Promise<[Visitor, Visitor]> {
  const [first, second] = [await Visitor.connect(one, names[0]), await Visitor.connect(other, names[1])]
  const matched = [first.next('OnUserMatched'), second.next('OnUserMatched')]
  await Promise.all([first.join(), second.join()])
  await Promise.all(matched)
  return [first, second]
}

const candidate = JSON.stringify({ candidate: 'candidate:1 1 udp 1 192.0.2.1 9 typ host', sdpMid: '0' })

async function tripOf([from, to]: [Visitor, Visitor]): Promise<number> {
  const arrived = to.next('OnIceCandidate')
  const sentAt = performance.now()
  void from.invoke('HandleIceCandidate', from.session, from.peer, candidate)
  await arrived
  return performance.now() - sentAt
}

/** Milliseconds of a message between two users of one server and of two servers, measured in turn. */
export async function benchFleetRelay(): Promise<{ near: number; far: number; near99: number; far99: number }> {
  return withFleet(2, async (servers) => {
    const [here, there] = [urlOf(servers, 0), urlOf(servers, 1)]
    const near = await pairOf(here, here, ['a', 'b'])
    const far = await pairOf(here, there, ['c', 'd'])
    const times: { near: number[]; far: number[] } = { near: [], far: [] }
    for (let trip = 0; trip < TRIPS; trip += 1) {
      times.near.push(await tripOf(near))
      times.far.push(await tripOf(trip % 2 === 0 ? far : [far[1], far[0]]))
    }
    return {
      near: median(times.near),
      far: median(times.far),
      near99: quantile(times.near, 0.99),
      far99: quantile(times.far, 0.99),
    }
  })
}

type SharedJoin = { waiting: number; hasWishes: boolean; microseconds: number; trip: number }

/** Microseconds of a join in Redis behind `waiting` entries, and of a ping. */
export async function benchSharedJoins(): Promise<SharedJoin[]> {
  const redis = await startRedis()
  const client = redisClient(redis.url, pino({ level: 'silent' }))
  await client.connect()
  try {
    const results: SharedJoin[] = []
    for (const hasWishes of [false, true])
      for (const waiting of [100, 100_000]) results.push(await joinCost(client, waiting, hasWishes))
    return results
  } finally {
    client.destroy()
    await redis.stop()
  }
}

const JOINS = 1_000
const PIPELINE = 1_000

/** Everybody waits in a group of their own: the same language and interest as nobody else. */
const LANGUAGES = 200
const wishesOf = (index: number) => ({
  languages: [`l${index % LANGUAGES}`, ...(index % 3 === 0 ? [`m${index % LANGUAGES}`] : [])],
  interests: [`i${Math.floor(index / LANGUAGES)}`, ...(index % 2 === 0 ? [`j${index}`] : [])],
})
const noWishes = { languages: [], interests: [] }

/** Cost of a join that finds a partner while so many wait, who have named languages and interests or have waited for anybody. */
async function joinCost(
  client: ReturnType<typeof redisClient>,
  waiting: number,
  hasWishes: boolean,
): Promise<SharedJoin> {
  const pool = new Pool(client, `waiting-${waiting}-${hasWishes}`)
  const step = {
    self: 's',
    region: '',
    languageAfter: 3_000,
    anybodyAfter: 8_000,
    languageCrowd: 0,
    relaxAfter: 10_000,
    spillAfter: 3_000,
    keep: 45_000,
    seed: 1,
    blocked: [],
    met: [],
    lot: 0.5,
  }
  const waivers = { spills: false, anyLanguage: false, anyInterest: false }
  const addEntry = async (name: string, index: number) => {
    if (hasWishes) {
      await pool.run('restore', { ...step, user: name, ...wishesOf(index), ...waivers, since: 0, now: 0 })
      return
    }
    await client.hSet(pool.key('place', name), { since: index, lot: 0, state: 'waiting' })
    await client.zAdd(pool.key('relaxed'), { score: index, value: name })
  }
  for (let from = 0; from < waiting; from += PIPELINE)
    await Promise.all(
      Array.from({ length: Math.min(PIPELINE, waiting - from) }, (_, index) =>
        addEntry(`w${from + index}`, from + index),
      ),
    )
  let spent = 0
  let trips = 0
  for (let index = 0; index < JOINS; index += 1) {
    const wanted = (index * 7_919) % waiting
    const wishes = hasWishes ? wishesOf(wanted) : noWishes
    const startedAt = performance.now()
    const now = hasWishes ? 1 : waiting + index
    const { pairs = [] } = await pool.run('join', { ...step, ...wishes, user: `n${index}`, now })
    spent += performance.now() - startedAt
    const [pair] = pairs
    if (!pair) throw new Error('a join made no pair')
    const names = { caller: pair.caller.user, callee: pair.callee.user }
    await pool.run('opened', { self: 's', id: `m${index}`, ...names, startedAt: 0, connected: false })
    await addEntry(`again${index}`, hasWishes ? wanted : waiting + index)
    const pingedAt = performance.now()
    await client.ping()
    trips += performance.now() - pingedAt
  }
  return { waiting, hasWishes, microseconds: (spent * 1_000) / JOINS, trip: (trips * 1_000) / JOINS }
}

/** Bytes of an idle connection to a server of a fleet. */
export async function benchFleetMemory(): Promise<number> {
  return withFleet(2, async (servers) => {
    const [server] = servers
    if (!server) throw new Error('there is no server')
    const open = async (from: number, count: number) => {
      for (let done = 0; done < count; done += AT_ONCE)
        await Promise.all(
          Array.from({ length: AT_ONCE }, (_, index) => Visitor.connect(server.url, `idle${from + done + index}`)),
        )
    }
    await open(0, AT_ONCE)
    const before = await server.memory()
    await open(AT_ONCE, IDLE)
    return ((await server.memory()) - before) / IDLE
  })
}
