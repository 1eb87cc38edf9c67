import { startFleetWithUsers } from '../support/fleet/many-servers.ts'
import { gatherCrowd } from '../support/hub/crowd.ts'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import { startRedis } from '../support/servers/redis.ts'
import { countRequests, loginRequests, pictureRequests, senderOf, steadily } from './cost-requests.ts'
import { processorTimes } from './processor-times.ts'

const SERVERS = 2
/** The database has written what the setting up left. */
const SETTLE_MS = 5_000
const SET_UP_MS = 120_000
const HOUR_MS = 3_600_000

/** The model of docs/operations.md: of 1,000 people 250 are on the dashboard, 700 talk, 50 search. */
const ON_DASHBOARD = 0.25
const ON_HUB = 0.75
const DASHBOARD_PERIOD_MS = 10_000
/** A call of 3 minutes has 36 events and 5 requests a person. */
const EVENT_PERIOD_MS = 5_000
const REQUEST_PERIOD_MS = 36_000
const CALL_MS = 180_000

/** Milliseconds of processor time for a person and hour, by program. */
export type CostRow = { cause: string; servers: number; PostgreSQL: number; Redis: number }
export type Cost = { people: number; seconds: number; rows: CostRow[]; all: CostRow }

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

/**
 * The processor time of servers, PostgreSQL and Redis while so many simulated people do what the model says, in real time. The causes
 * are added one after the other, and each row is what its cause adds; `all` is everything at once, without servers at rest.
 */
export async function benchCost(people: number, seconds: number): Promise<Cost> {
  const [postgres, redis] = [await startPostgres({ durable: true }), await startRedis()]
  const fleet = await startFleetWithUsers(SERVERS, { database: await newDatabase(postgres.port), redis: redis.url })
  const stops: (() => Promise<void>)[] = []
  const rows: CostRow[] = []
  try {
    const urlOf = (index: number) => fleet.servers[index % SERVERS]?.url ?? ''
    const dashboards = await fleet.createUsers(Math.round(people * ON_DASHBOARD), 'd')
    await wait(SETTLE_MS)
    let before = await spentIn(seconds)
    const rest = before
    const rowOf = (cause: string, from: Spent, to: Spent): CostRow => {
      const of = (name: keyof Spent) => ((to[name] - from[name]) * HOUR_MS) / people
      return { cause, servers: of('servers'), PostgreSQL: of('PostgreSQL'), Redis: of('Redis') }
    }
    async function add(cause: string): Promise<void> {
      await wait(SETTLE_MS)
      const now = await spentIn(seconds)
      rows.push(rowOf(cause, before, now))
      before = now
    }

    const onHub = 2 * Math.round((people * ON_HUB) / 2)
    const half = onHub / 2
    const crowd = await gatherCrowd(fleet, [half, onHub - half], { chatEveryMs: EVENT_PERIOD_MS, limitMs: SET_UP_MS })
    stops.push(async () => crowd.stop())
    await add('hub: connections and events')

    // One of two people in turn presses Next every three minutes, which ends the call of both.
    stops.push(
      steadily(
        crowd.people.filter((_, index) => index % 2 === 0),
        CALL_MS,
        1,
        async (person) => person.next(),
      ),
    )
    await add('matches: join, pair, records, end')

    const here = await Promise.all(dashboards.map((user, index) => senderOf(user, urlOf(index))))
    const inCalls = await Promise.all(crowd.people.map(({ user }, index) => senderOf(user, urlOf(index))))
    stops.push(steadily(here, DASHBOARD_PERIOD_MS, 1, countRequests(fleet.origin)))
    await add('online counts of dashboards')
    stops.push(steadily(inCalls, REQUEST_PERIOD_MS, 1, loginRequests(fleet.origin)))
    await add('requests of calls')
    // Another order than that of the counts, so that the two come at any distance.
    stops.push(steadily(here, DASHBOARD_PERIOD_MS, 7, await pictureRequests(fleet.origin)))
    await add('camera pictures')
    return { people, seconds, rows, all: rowOf('all', rest, before) }
  } finally {
    for (const stop of stops) await stop()
    await fleet.stop()
    await redis.stop()
    await postgres.stop()
  }
}
