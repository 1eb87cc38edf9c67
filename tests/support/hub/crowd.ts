import type { FleetWithUsers } from '../fleet/many-servers.ts'
import { CrowdMessages, CrowdPerson } from './crowd-person.ts'

const AT_ONCE = 100
const LOOK_MS = 20

export type Crowd = {
  people: CrowdPerson[]
  messages: CrowdMessages
  /** Those whose connection is at that server. */
  at(url: string): CrowdPerson[]
  /** Resolves when it holds for all of them; rejects with how many it does not hold for when it takes too long. */
  until(what: string, holds: (person: CrowdPerson) => boolean, limitMs?: number): Promise<void>
  /** Sessions of the records in which somebody is who is in another one too. */
  twice(): Promise<number>
  /** How many people are in a session, as they see it, whose other side the records do not know to be in it. */
  disagreements(): Promise<number>
  stop(): void
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** So many people at each of the servers, in this order, each in a match. Whoever comes back comes to the servers that live, in turn. */
export async function gatherCrowd(
  fleet: FleetWithUsers,
  sizes: number[],
  { chatEveryMs, limitMs }: { chatEveryMs: number; limitMs: number },
): Promise<Crowd> {
  const hearsay = new CrowdMessages()
  const seats = sizes.flatMap((size, server) =>
    Array.from({ length: size }, (_, index) => ({ order: (index + 0.5) / size, server })),
  )
  // Partners of the largest part are spread over all of it.
  seats.sort((one, other) => one.order - other.order)
  const urls = fleet.servers.map(({ url }) => url)
  let turn = 0
  const next = () => {
    turn += 1
    return fleet.servers[turn % fleet.servers.length]?.url ?? ''
  }
  const users = await fleet.createUsers(seats.length)
  const people = users.map((user, index) => {
    const first = urls[seats[index]?.server ?? 0] ?? ''
    let isNew = true
    const place = () => {
      if (!isNew) return next()
      isNew = false
      return first
    }
    return new CrowdPerson(user, { place, hearsay, chatEveryMs })
  })

  const crowd: Crowd = {
    people,
    messages: hearsay,
    at: (url) => people.filter((person) => person.connected && person.at === url),
    async until(what, holds, ofMs = limitMs) {
      const since = performance.now()
      for (;;) {
        const left = people.filter((person) => !holds(person)).length
        if (left === 0) return
        if (performance.now() - since > ofMs) throw new Error(`${left} of ${people.length} are not ${what}`)
        await wait(LOOK_MS)
      }
    },
    async twice() {
      const inOne = new Set<string>()
      let twice = 0
      for (const { caller, callee } of await fleet.store.matchRecords.all())
        for (const person of [caller, callee]) {
          if (inOne.has(person)) twice += 1
          inOne.add(person)
        }
      return twice
    },
    async disagreements() {
      const live = new Map((await fleet.store.matchRecords.all()).map((one) => [one.id, one]))
      const names = new Map(people.map((person) => [person.user.accountId, person]))
      let count = 0
      for (const { id, caller, callee } of live.values()) {
        const sides = [names.get(caller)?.session, names.get(callee)?.session]
        // Whoever has heard of its end already, or not yet of its beginning, is in none.
        if (sides.some((session) => session !== id && session !== null && live.has(session ?? ''))) count += 1
      }
      return count
    },
    stop() {
      for (const person of people) person.stop()
    },
  }
  try {
    for (let from = 0; from < people.length; from += AT_ONCE) {
      const some = people.slice(from, from + AT_ONCE)
      for (const person of some) person.start()
      await crowd.until('connected', (person) => person.connected || !some.includes(person))
    }
    await crowd.until('matched', (person) => person.session !== null)
    for (const person of people) person.startChatting()
    await crowd.until('talking', (person) => person.deliveredAt > 0)
    return crowd
  } catch (error) {
    crowd.stop()
    throw error
  }
}
