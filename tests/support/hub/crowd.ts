import type { FleetWithUsers } from '../fleet/many-servers.ts'
import { pollUntil } from '../poll-until.ts'
import { CrowdMessages } from './crowd-messages.ts'
import { CrowdPerson } from './crowd-person.ts'

const AT_ONCE = 100

export type Crowd = {
  people: CrowdPerson[]
  messages: CrowdMessages
  /** The people whose connection is to that server. */
  at(url: string): CrowdPerson[]
  /** Resolves when `holds` is true for all people; rejects after `limitMs` with the number of those for which it is false. */
  until(what: string, holds: (person: CrowdPerson) => boolean, limitMs?: number): Promise<void>
  /** Counts people who are in two matches by the records. */
  twice(): Promise<number>
  /** Counts matches of the records whose people see themselves in different matches. */
  disagreements(): Promise<number>
  /** Everybody goes on chatting with another time between two messages. */
  chatEvery(ms: number): void
  stop(): void
}

/** Connects `sizes[n]` people to the nth server, each in a match. New connections go to the live servers in turn. */
export async function gatherCrowd(
  fleet: FleetWithUsers,
  sizes: number[],
  { chatEveryMs, limitMs, setsCallsUp }: { chatEveryMs: number; limitMs: number; setsCallsUp?: boolean },
): Promise<Crowd> {
  const messages = new CrowdMessages()
  const slots = sizes.flatMap((size, server) =>
    Array.from({ length: size }, (_, index) => ({ order: (index + 0.5) / size, server })),
  )
  // Spreads the partners of the largest group over all of it.
  slots.sort((one, other) => one.order - other.order)
  const urls = fleet.servers.map(({ url }) => url)
  let turn = 0
  const next = () => {
    turn += 1
    return fleet.servers[turn % fleet.servers.length]?.url ?? ''
  }
  const users = await fleet.createUsers(slots.length)
  const people = users.map((user, index) => {
    const first = urls[slots[index]?.server ?? 0] ?? ''
    let isNew = true
    const place = () => {
      if (!isNew) return next()
      isNew = false
      return first
    }
    return new CrowdPerson(user, { place, messages, chatEveryMs, ...(setsCallsUp && { setsCallsUp }) })
  })

  const crowd: Crowd = {
    people,
    messages,
    at: (url) => people.filter((person) => person.connected && person.at === url),
    async until(what, holds, ofMs = limitMs) {
      const left = () => people.filter((person) => !holds(person)).length
      await pollUntil(
        () => left() === 0,
        ofMs,
        () => `${left()} of ${people.length} are not ${what}`,
      )
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
        // A person who has received the end already, or not yet the announcement, is in no match.
        if (sides.some((session) => session !== id && session !== null && live.has(session ?? ''))) count += 1
      }
      return count
    },
    chatEvery(ms) {
      for (const person of people) person.chatEvery(ms)
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
