import { Client } from 'pg'
import { startFleetWithUsers, type TestUser } from '../support/fleet/many-servers.ts'
import { gatherCrowd } from '../support/hub/crowd.ts'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import { startRedis } from '../support/servers/redis.ts'
import { loginRequests, pictureRequests, senderOf, steadily } from './cost-requests.ts'
import { pin } from './pin.ts'
import { processorTimes } from './processor-times.ts'
import { type Profiles, profilesInto } from './server-profiles.ts'

export const SERVERS = 2
/** Longer than the period of a dashboard: everybody has sent a request, and what earlier work left is done. */
const SETTLE_MS = 10_500
const SET_UP_MS = 120_000
/** Everything runs for so long before anything is measured: code that has rarely run costs several times as much. */
const WARM_UP_MS = 20_000
/** Requests come so many times as often while the servers warm up. */
const WARM_UP_PACE = 5
const HOUR_MS = 3_600_000

/** The model of docs/operations.md: of 1,000 people 250 are on the dashboard, 700 talk, 50 search. */
const ON_DASHBOARD = 0.25
const ON_HUB = 0.75
const DASHBOARD_PERIOD_MS = 10_000
/** A call of 3 minutes has 12 chat messages, 24 events that set it up, and 5 requests a person. */
const CHAT_PERIOD_MS = 15_000
const REQUEST_PERIOD_MS = 36_000
const CALL_MS = 180_000
/** No event falls into the measurement of connections at rest. */
const NEVER_MS = HOUR_MS

/** Milliseconds of processor time for a person and hour, by program. */
export type CostRow = { cause: string; servers: number; PostgreSQL: number; Redis: number }
/** `rest` is the part of a core that all servers, PostgreSQL and Redis use without people; it is in no row. */
export type Cost = { people: number; seconds: number; isPinned: boolean; rest: Spent; rows: CostRow[]; all: CostRow }

const programs = ['servers', 'PostgreSQL', 'Redis'] as const
type Spent = Record<(typeof programs)[number], number>

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Processor seconds a second over so many seconds, by program. */
async function spentIn(seconds: number): Promise<Spent> {
  const [before, startedAt] = [processorTimes(), performance.now()]
  await wait(seconds * 1_000)
  const [after, passed] = [processorTimes(), (performance.now() - startedAt) / 1_000]
  const of = (name: string) => ((after[name] ?? 0) - (before[name] ?? 0)) / passed
  return { servers: of('servers'), PostgreSQL: of('PostgreSQL'), Redis: of('Redis') }
}

/** Writes down what the setting up has left for later. */
async function tidyUp(database: string): Promise<void> {
  const client = new Client({ connectionString: database })
  await client.connect()
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
}

/**
 * The processor time of servers, PostgreSQL and Redis while so many simulated people do what the model says, in real time, on servers
 * that have done all of it before. The servers share a processor, so that it is about half busy, as machines are sized; all others have the next
 * one: a processor that sleeps after each message costs a multiple. The causes are added one after the other, and each row is what its cause adds; `all` is everything at
 * once, without servers at rest. `profilesIn` is a folder for a profile of each server and cause.
 */
export async function benchCost(people: number, seconds: number, profilesIn: string | null): Promise<Cost> {
  const isPinned = pin(process.pid, 1)
  const [postgres, redis] = [await startPostgres({ durable: true }), await startRedis()]
  const database = await newDatabase(postgres.port)
  const profiles: Profiles | null = profilesIn === null ? null : profilesInto(profilesIn)
  const fleet = await startFleetWithUsers(SERVERS, { database, redis: redis.url, ...profiles?.fleetOptions })
  for (const { pid } of fleet.servers) pin(pid, 0)
  const stops: (() => Promise<void>)[] = []
  const rows: CostRow[] = []
  try {
    const urlOf = (index: number) => fleet.servers[index % SERVERS]?.url ?? ''
    const sendersOf = (users: TestUser[]) => Promise.all(users.map((user, index) => senderOf(user, urlOf(index))))
    const half = Math.round((people * ON_HUB) / 2)
    const here = await sendersOf(await fleet.createUsers(Math.round(people * ON_DASHBOARD), 'd'))
    await wait(SETTLE_MS)
    const rest = await spentIn(seconds)

    const crowd = await gatherCrowd(fleet, [half, half], {
      chatEveryMs: CHAT_PERIOD_MS,
      limitMs: SET_UP_MS,
      setsCallsUp: true,
    })
    stops.push(async () => crowd.stop())
    const inCalls = await sendersOf(crowd.people.map(({ user }) => user))
    // One of two people in turn presses Next every three minutes, which ends the call of both.
    const pressers = crowd.people.filter((_, index) => index % 2 === 0)
    const sendRequest = loginRequests(fleet.origin)
    const sendPicture = await pictureRequests(fleet.origin)
    const startMatches = () => steadily(pressers, CALL_MS, async (person) => person.next())
    const startRequests = (pace = 1) => steadily(inCalls, REQUEST_PERIOD_MS / pace, sendRequest)
    // Their responses bring the online count, for which a dashboard then sends no request.
    const startPictures = () => steadily(here, DASHBOARD_PERIOD_MS, sendPicture)

    const warmUps = [startMatches(), startRequests(WARM_UP_PACE), startPictures()]
    await wait(WARM_UP_MS)
    for (const stop of warmUps) await stop()
    crowd.chatEvery(NEVER_MS)
    await tidyUp(database)

    let before = rest
    const rowOf = (cause: string, from: Spent, to: Spent): CostRow => {
      const of = (name: keyof Spent) => ((to[name] - from[name]) * HOUR_MS) / people
      return { cause, servers: of('servers'), PostgreSQL: of('PostgreSQL'), Redis: of('Redis') }
    }
    async function add(cause: string): Promise<void> {
      await wait(SETTLE_MS)
      await profiles?.start()
      const now = await spentIn(seconds)
      await profiles?.stop(cause)
      rows.push(rowOf(cause, before, now))
      before = now
    }

    await add('hub: connections at rest')
    crowd.chatEvery(CHAT_PERIOD_MS)
    await add('hub: chat messages')
    stops.push(startMatches())
    await add('matches: join, pair, records, set-up of the call, end')
    stops.push(startRequests())
    await add('requests of calls')
    stops.push(startPictures())
    await add('camera pictures')
    return { people, seconds, isPinned, rest, rows, all: rowOf('all', rest, before) }
  } finally {
    for (const stop of stops) await stop()
    await profiles?.close()
    await fleet.stop()
    await redis.stop()
    await postgres.stop()
  }
}
