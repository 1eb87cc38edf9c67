import { startFleetWithUsers } from '../support/fleet/many-servers.ts'
import { CrowdMessages } from '../support/hub/crowd-messages.ts'
import { CrowdPerson } from '../support/hub/crowd-person.ts'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import { startRedis } from '../support/servers/redis.ts'
import { processorTimes } from './processor-times.ts'

const PEOPLE = 1_000
const ROUNDS = 3
const LOOK_MS = 5

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export type Reconnects = {
  people: number
  perSecond: number
  /** Processor milliseconds for one reconnect. */
  server: number
  database: number
}

/** All clients of a server reconnect at once, each with a new connection, until their home server has greeted them. */
export async function benchReconnects(): Promise<Reconnects> {
  const [postgres, redis] = [await startPostgres(), await startRedis()]
  const fleet = await startFleetWithUsers(1, { database: await newDatabase(postgres.port), redis: redis.url })
  const people: CrowdPerson[] = []
  try {
    const [server] = fleet.servers
    const options = { place: () => server?.url ?? '', messages: new CrowdMessages(), chatEveryMs: 1_000 }
    for (const user of await fleet.createUsers(PEOPLE)) people.push(new CrowdPerson(user, options))
    const all = async (are: (person: CrowdPerson) => boolean) => {
      while (!people.every(are)) await wait(LOOK_MS)
    }
    for (const person of people) person.start()
    await all((person) => person.session !== null)
    let seconds = 0
    const spent = { servers: 0, PostgreSQL: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      const [before, startedAt] = [processorTimes(), performance.now()]
      for (const person of people) person.reconnect()
      await all((person) => person.greetedAt > startedAt)
      seconds += (performance.now() - startedAt) / 1_000
      const after = processorTimes()
      for (const name of ['servers', 'PostgreSQL'] as const) spent[name] += (after[name] ?? 0) - (before[name] ?? 0)
    }
    const count = PEOPLE * ROUNDS
    const ofOne = (all: number) => (all * 1_000) / count
    return {
      people: PEOPLE,
      perSecond: count / seconds,
      server: ofOne(spent.servers),
      database: ofOne(spent.PostgreSQL),
    }
  } finally {
    for (const person of people) person.stop()
    await fleet.stop()
    await redis.stop()
    await postgres.stop()
  }
}
