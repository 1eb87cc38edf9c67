import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type FleetWithUsers, startFleetWithUsers } from '../support/fleet/many-servers.ts'
import { gatherCrowd } from '../support/hub/crowd.ts'
import { CrowdMessages } from '../support/hub/crowd-messages.ts'
import { CrowdPerson } from '../support/hub/crowd-person.ts'
import { pollUntil } from '../support/poll-until.ts'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import { readMetrics } from '../support/servers/read-metrics.ts'
import { startRedis } from '../support/servers/redis.ts'
import { pin } from './pin.ts'
import { processorTimes } from './processor-times.ts'

/** As in the model of docs/operations.md: 12 chat messages a person in a call of three minutes, and as much typing and signalling. */
const CHAT_EVERY_MS = 5_000
const SET_UP_MS = 120_000
const AT_ONCE = 100
const SAMPLE_MS = 10_000
const NANOSECONDS = 1e6

export type Evening = {
  idle: number
  talking: number
  seconds: number
  /** Connections that were lost. */
  drops: number
  /** People who are in no match, or not in the first one. */
  lostMatches: number
  messages: { sent: number; lost: number; repeated: number }
  /** Milliseconds from sending a message until its peer received it. */
  delay: { p50: number; p99: number; p999: number; most: number }
  /** Milliseconds by which the event loop was late: 99 % of the whole time here, worst 10 s of the server. */
  lateness: { people: number; server: number }
  /** Processor seconds a second, by program. */
  load: Record<string, number>
  megabytes: number
  isPinned: boolean
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

async function connectIdle(fleet: FleetWithUsers, count: number): Promise<CrowdPerson[]> {
  const url = fleet.servers[0]?.url ?? ''
  const messages = new CrowdMessages()
  const people = (await fleet.createUsers(count, 'idle')).map(
    (user) => new CrowdPerson(user, { place: () => url, messages, chatEveryMs: CHAT_EVERY_MS, isIdle: true }),
  )
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = people.slice(from, from + AT_ONCE)
    for (const person of some) person.start()
    const left = () => some.filter(({ connected }) => !connected).length
    await pollUntil(
      () => left() === 0,
      SET_UP_MS,
      () => `${left()} idle people are not connected`,
    )
  }
  return people
}

/**
 * Idle connections and people in matches who chat, on one server with PostgreSQL and Redis for so many seconds. The server has a processor of its own,
 * all others share the next one, so that a late load generator is not taken for a late server.
 */
export async function benchEvening(idle: number, talking: number, seconds: number): Promise<Evening> {
  const isPinned = pin(process.pid, 1)
  const [postgres, redis] = [await startPostgres({ durable: true }), await startRedis()]
  const fleet = await startFleetWithUsers(1, { database: await newDatabase(postgres.port), redis: redis.url })
  const stops: (() => void)[] = []
  try {
    const [server] = fleet.servers
    if (server) pin(server.pid, 0)
    const metrics = () => readMetrics({ origin: server?.url ?? '' })
    const quiet = await connectIdle(fleet, idle)
    stops.push(() => quiet.forEach((person) => void person.stop()))
    const crowd = await gatherCrowd(fleet, [talking], { chatEveryMs: CHAT_EVERY_MS, limitMs: SET_UP_MS })
    stops.push(crowd.stop)

    const all = [...quiet, ...crowd.people]
    const dropsBefore = all.reduce((sum, { drops }) => sum + drops, 0)
    const matches = crowd.people.map(({ session }) => session)
    crowd.messages.delays.length = 0
    const own = monitorEventLoopDelay({ resolution: 1 })
    own.enable()
    await metrics()
    let worst = 0
    const [before, startedAt] = [processorTimes(), performance.now()]
    while (performance.now() - startedAt < seconds * 1_000) {
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
      worst = Math.max(worst, (await metrics())('nodejs_eventloop_lag_p99_seconds') * 1_000)
    }
    const [after, passed] = [processorTimes(), (performance.now() - startedAt) / 1_000]
    own.disable()

    const { messages } = crowd
    const delays = messages.delays.toSorted((one, other) => one - other)
    return {
      idle,
      talking,
      seconds: passed,
      drops: all.reduce((sum, { drops }) => sum + drops, 0) - dropsBefore,
      lostMatches: crowd.people.filter(({ session }, index) => session === null || session !== matches[index]).length,
      messages: { sent: delays.length, lost: messages.lost().length, repeated: messages.repeated() },
      delay: {
        p50: quantile(delays, 0.5),
        p99: quantile(delays, 0.99),
        p999: quantile(delays, 0.999),
        most: delays.at(-1) ?? 0,
      },
      lateness: { people: own.percentile(99) / NANOSECONDS, server: worst },
      load: Object.fromEntries(
        Object.entries(after).map(([name, time]) => [name, (time - (before[name] ?? 0)) / passed]),
      ),
      megabytes: (await metrics())('process_resident_memory_bytes') / 1e6,
      isPinned,
    }
  } finally {
    for (const stop of stops) stop()
    await fleet.stop()
    await redis.stop()
    await postgres.stop()
  }
}
