import { startFleetWithUsers } from '../support/fleet/many-servers.ts'
import { gatherCrowd } from '../support/hub/crowd.ts'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import { startRedis } from '../support/servers/redis.ts'
import { processorTimes } from './processor-times.ts'
import { type Times, timesOf } from './quantile.ts'

/** Milliseconds between two chat messages of a user; in a real call there are fewer. */
const CHAT_EVERY_MS = 4_000
const SET_UP_MS = 120_000
const HEAL_MS = 60_000
const RECORDS_MS = 500

export type Heal = {
  /** Users with a connection to the killed server, and all users. */
  victims: number
  people: number
  setUpMs: number
  /** Until the victims are in the queue or in a match again. */
  placed: Times
  /** Until a new message of every user is delivered. */
  talking: Times
  messages: number
  lost: number
  repeated: number
  /** Users in two matches, in the records at any time and at the end as the clients see it. */
  inTwo: number
  /** Users who were told of a match before the end of the previous one. */
  crossed: number
  /** Processor seconds a second until all victims were in the hub again, by program. */
  busy: Record<string, number>
}

/** Kills one of three servers with SIGKILL. `victims` users are connected to it, `elsewhere` users to the others. */
export async function benchHeal(victims: number, elsewhere: number): Promise<Heal> {
  const [postgres, redis] = [await startPostgres(), await startRedis()]
  const fleet = await startFleetWithUsers(3, { database: await newDatabase(postgres.port), redis: redis.url })
  try {
    const startedAt = performance.now()
    const sizes = [victims, Math.ceil(elsewhere / 2), Math.floor(elsewhere / 2)]
    const crowd = await gatherCrowd(fleet, sizes, { chatEveryMs: CHAT_EVERY_MS, limitMs: SET_UP_MS })
    try {
      const setUpMs = performance.now() - startedAt
      const [victim] = fleet.servers
      if (!victim) throw new Error('there is no server')
      const onIt = crowd.at(victim.url)
      const before = crowd.messages.acknowledged.size
      const killedAt = performance.now()
      await fleet.kill(victim)
      const cpuBefore = processorTimes()

      let inTwo = 0
      let isOver = false
      const records = (async () => {
        while (!isOver) {
          inTwo = Math.max(inTwo, await crowd.twice())
          await new Promise((resolve) => setTimeout(resolve, RECORDS_MS))
        }
      })()
      const placedAt = new Map<unknown, number>()
      const talkedAt = new Map<unknown, number>()
      const busy: Record<string, number> = {}
      // Only connections made after the kill count.
      const isPlaced = (person: (typeof onIt)[number]) =>
        person.connected && person.at !== victim.url && person.inHubAt > killedAt
      for (const person of crowd.people) if (!onIt.includes(person)) placedAt.set(person, 0)
      await crowd.until(
        'in the queue or in a match',
        (person) => {
          if (!placedAt.has(person) && isPlaced(person)) placedAt.set(person, performance.now() - killedAt)
          if (!talkedAt.has(person) && person.deliveredAt > killedAt) talkedAt.set(person, performance.now() - killedAt)
          return placedAt.has(person)
        },
        HEAL_MS,
      )
      const seconds = (performance.now() - killedAt) / 1_000
      const cpuAfter = processorTimes()
      for (const [name, spent] of Object.entries(cpuAfter)) busy[name] = (spent - (cpuBefore[name] ?? 0)) / seconds
      await crowd.until(
        'talking again',
        (person) => {
          if (!talkedAt.has(person) && person.deliveredAt > killedAt) talkedAt.set(person, performance.now() - killedAt)
          return talkedAt.has(person)
        },
        HEAL_MS,
      )
      isOver = true
      await records
      inTwo += await crowd.disagreements()
      const { messages, people } = crowd
      crowd.stop()
      return {
        victims: onIt.length,
        people: people.length,
        setUpMs,
        placed: timesOf(onIt.map((person) => placedAt.get(person) ?? Number.POSITIVE_INFINITY)),
        talking: timesOf([...talkedAt.values()]),
        messages: messages.acknowledged.size - before,
        lost: messages.lost().length,
        repeated: messages.repeated(),
        inTwo,
        crossed: people.filter(({ overlaps }) => overlaps > 0).length,
        busy,
      }
    } finally {
      crowd.stop()
    }
  } finally {
    await fleet.stop()
    await redis.stop()
    await postgres.stop()
  }
}
