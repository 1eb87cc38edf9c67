import { randomUUID } from 'node:crypto'
import type { ConnectionOutcome } from '#protocol/call-counts.ts'
import { type TestUser, usersOf } from '../../support/fleet/many-servers.ts'
import { CrowdMessages } from '../../support/hub/crowd-messages.ts'
import { CrowdPerson } from '../../support/hub/crowd-person.ts'
import { newVisitor, type Visitor } from '../../support/servers/server.ts'
import { openSharedStore, type Store } from '../../support/stores/store.ts'
import { databaseUrl, secrets } from '../parts.ts'
import { origin } from '../people.ts'

/** Simulated people: real users of the real hub and API, through the balancer, without a browser. */

/** A drill may begin while the machine is very busy. */
const STORE_MS = 60_000

export const openRehearsalStore = () =>
  openSharedStore({ url: databaseUrl(), poolSize: 4, timeoutMs: STORE_MS }, randomUUID)

let crowds = 0

export function createUsers(store: Store, count: number): Promise<TestUser[]> {
  crowds += 1
  return usersOf(store, secrets.JWT_SECRET).createUsers(count, `crowd${crowds}n`)
}

/** Returns a visitor with the user's login. */
export async function visitorOf(user: TestUser): Promise<Visitor> {
  const visitor = newVisitor({ origin })
  visitor.cookies.set('__Host-access', await user.accessToken())
  return visitor
}

export type Habits = {
  /** Time between two connections to the hub, so that not all come at once. */
  arriveEveryMs: number
  /** How late people acknowledge what they receive. */
  ackMs?: number
  /** Who of them never sees the peer's picture. */
  isBlind?: (index: number) => boolean
  chatEveryMs?: number
}

/** People on the hub, until `stop`. */
export class People {
  readonly people: CrowdPerson[]
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(users: readonly TestUser[], { arriveEveryMs, ackMs, isBlind, chatEveryMs = 1_000 }: Habits) {
    const messages = new CrowdMessages()
    this.people = users.map((user, index) => {
      const confirms = !isBlind?.(index)
      const person = new CrowdPerson(user, {
        ...{ place: () => origin, messages, chatEveryMs, confirms },
        ...(ackMs !== undefined && { ackMs }),
      })
      this.#timers.add(
        setTimeout(() => {
          person.start()
          person.startChatting()
        }, index * arriveEveryMs),
      )
      return person
    })
  }

  /** Lets one person after the other do something, each once in `periodMs`. */
  everyone(periodMs: number, task: (person: CrowdPerson, round: number) => void): void {
    let turn = 0
    const timer = setInterval(() => {
      const person = this.people[turn % this.people.length]
      if (person) task(person, Math.floor(turn / this.people.length))
      turn += 1
    }, periodMs / this.people.length)
    this.#timers.add(timer)
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    for (const person of this.people) person.stop()
  }
}

/** What browsers behind a bad network say of their peer connections, in this order: 6 of 10 fail, and none is relayed. */
export const badOutcomes: readonly ConnectionOutcome[] = [
  ...(['failed', 'direct', 'failed', 'direct', 'lost'] as const),
  ...(['failed', 'direct', 'failed', 'failed', 'lost'] as const),
]
