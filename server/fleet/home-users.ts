import type { FastifyBaseLogger } from 'fastify'
import type { InvokingConnection, UserConnection } from '../hub/connection.ts'
import { Connection } from '../hub/connection.ts'
import type { ConnectionLifecycle } from '../hub/connection-lifecycle.ts'
import { Delivery } from '../hub/delivery.ts'
import type { Invocation } from '../hub/messages.ts'
import type { Roster } from '../hub/roster.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Fleet } from './fleet.ts'
import type { LocalConnections } from './local-connections.ts'
import { RemoteConnection } from './remote-connection.ts'
import type { ConnectionFacts, ServerMessage, ServerMessageOf, Waiting } from './server-messages.ts'

/** How long mail for somebody who moved may still come here. */
const FORWARD_MS = 60_000
/** How long a match waits for one of the two to move here. */
const GATHER_MS = 3_000

type Deps = {
  fleet: Fleet
  clock: Clock
  log: FastifyBaseLogger
  roster: Roster
  lifecycle: ConnectionLifecycle
  localConnections: LocalConnections
  execute: (client: InvokingConnection, invocation: Invocation) => Promise<void> | undefined
}

function waitingOf({ text, matchId: session, since }: Delivery): Waiting {
  return { text, session, since }
}

function deliveryOf({ text, session, since }: Waiting): Delivery {
  return new Delivery(text, session, since)
}

/** The users who are at home at this server, wherever their connections are. */
export class HomeUsers {
  readonly #deps: Deps
  /** Connections at other servers of users who are at home here. */
  readonly #lines = new Map<string, RemoteConnection>()
  readonly #work = new WeakMap<RemoteConnection, Promise<void>>()
  /** Where users and their connections have gone, by either's name. */
  readonly #forwards = new Map<string, { to: string; until: number }>()
  /** The number of each user's latest connection. */
  readonly #orders = new Map<string, number>()
  readonly #expected = new Map<string, Set<() => void>>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  orderOf(accountId: string): number | null {
    return this.#deps.roster.has(accountId) ? (this.#orders.get(accountId) ?? 0) : null
  }

  /** The connection is its user's, unless a later one is known. */
  arrive(line: UserConnection, order: number, again: boolean): void {
    const { accountId } = line
    const { roster, lifecycle } = this.#deps
    this.#forwards.delete(accountId)
    if (order < (this.#orders.get(accountId) ?? 0)) {
      line.close(roster.visitOf(accountId) === line.visit ? {} : { error: 'replaced' })
      return
    }
    this.#orders.set(accountId, order)
    lifecycle.connect(line, again)
    this.#isHere(accountId)
  }

  take(from: string, mail: ServerMessageOf<'arrive' | 'is' | 'invoke' | 'settled' | 'member'>): void {
    if (mail.t === 'member') {
      if (!this.#forward(mail.account, mail)) this.#moveIn(mail)
      return
    }
    if (mail.t === 'arrive') {
      if (!this.#forward(mail.line.accountId, mail)) this.#arriveFrom(from, mail)
      return
    }
    const line = this.#lines.get(mail.id)
    if (line) this.#hear(line, mail)
    // What moved with the user will be asked for again by the server of the connection.
    else if (mail.t !== 'invoke') this.#forward(mail.id, mail)
  }

  /** The user is at home elsewhere from now on: everything that was kept here goes there. */
  moved(accountId: string, to: string): void {
    const { fleet, roster } = this.#deps
    if (to === fleet.self) return
    const member = roster.release(accountId)
    const order = this.#orders.get(accountId) ?? 0
    this.#orders.delete(accountId)
    this.#remember(accountId, to)
    const moving = this.#moveOut(member?.connection ?? null, to, order)
    const waiting = (member?.waiting ?? []).map(waitingOf)
    fleet.send(to, {
      t: 'member',
      account: accountId,
      visit: member?.visit ?? null,
      sessionId: member?.sessionId ?? null,
      waiting,
      ...moving,
    } satisfies ServerMessage)
  }

  /** Resolves when all of them are here, or had their time to come. */
  async gather(accountIds: string[]): Promise<void> {
    const { roster } = this.#deps
    for (const accountId of accountIds) this.#forwards.delete(accountId)
    const missing = accountIds.filter((accountId) => !roster.has(accountId))
    if (missing.length > 0) await Promise.all(missing.map((accountId) => this.#expect(accountId)))
  }

  /** Of a user who is at home here. */
  settleHere(accountId: string): void {
    this.#forwards.delete(accountId)
  }

  died(server: string): void {
    for (const [name, { to }] of this.#forwards) if (to === server) this.#forwards.delete(name)
    for (const line of this.#lines.values()) {
      if (line.at !== server) continue
      this.#lines.delete(line.id)
      line.markOver()
      this.#deps.lifecycle.close(line)
    }
  }

  clear(): void {
    this.#lines.clear()
    this.#forwards.clear()
    this.#orders.clear()
  }

  sweep(now: number): void {
    for (const [name, { until }] of this.#forwards) {
      if (until > now) break
      this.#forwards.delete(name)
    }
    for (const accountId of this.#orders.keys()) if (!this.#deps.roster.has(accountId)) this.#orders.delete(accountId)
  }

  #forward(name: string, mail: ServerMessage): boolean {
    const known = this.#forwards.get(name)
    if (!known) return false
    this.#deps.fleet.send(known.to, mail)
    return true
  }

  #remember(name: string, to: string): void {
    // At the end, so that they stay in the order in which they expire.
    this.#forwards.delete(name)
    this.#forwards.set(name, { to, until: this.#deps.clock.now() + FORWARD_MS })
  }

  #remoteLine(facts: ConnectionFacts, at: string): RemoteConnection {
    const line = new RemoteConnection(facts, at, (mail) => this.#deps.fleet.send(at, mail))
    this.#lines.set(line.id, line)
    this.#forwards.delete(line.id)
    return line
  }

  #arriveFrom(from: string, { line: facts, again }: ServerMessageOf<'arrive'>): void {
    this.arrive(this.#remoteLine(facts, from), facts.order, again)
  }

  #hear(line: RemoteConnection, mail: ServerMessageOf<'is' | 'invoke' | 'settled'>): void {
    const { lifecycle } = this.#deps
    if (mail.t === 'settled') {
      line.settled(mail.n, mail.delivered)
      return
    }
    if (mail.t === 'invoke') {
      this.#invoke(line, { target: mail.target, arguments: mail.args, id: String(mail.n), streams: false })
      return
    }
    switch (mail.state) {
      case 'lost':
        line.socketIs(false)
        lifecycle.drop(line)
        break
      case 'back':
        line.socketIs(true)
        lifecycle.resume(line)
        break
      case 'quit':
        lifecycle.closeByClient(line)
        break
      case 'over':
        this.#lines.delete(line.id)
        line.markOver()
        lifecycle.close(line)
    }
  }

  /** One after the other, as on a connection that is here. */
  #invoke(line: RemoteConnection, invocation: Invocation): void {
    const { execute } = this.#deps
    const before = this.#work.get(line)
    const now = before ? before.then(() => execute(line, invocation)) : execute(line, invocation)
    if (!now) return
    const work = now.then(() => {
      if (this.#work.get(line) === work) this.#work.delete(line)
    })
    this.#work.set(line, work)
  }

  #moveOut(
    line: UserConnection | null,
    to: string,
    order: number,
  ): Pick<ServerMessageOf<'member'>, 'at' | 'line' | 'undelivered'> {
    const { fleet, localConnections } = this.#deps
    const numbered = (expected: [number, Delivery][]) =>
      expected.filter(([, delivery]) => delivery.isUnderWay).map(([n, delivery]) => ({ n, ...waitingOf(delivery) }))
    if (line instanceof RemoteConnection) {
      fleet.send(line.at, { t: 'moved', id: line.id, to } satisfies ServerMessage)
      line.fallSilent()
      this.#lines.delete(line.id)
      this.#remember(line.id, to)
      return { at: line.at, line: line.facts, undelivered: numbered(line.expected()) }
    }
    if (line instanceof Connection) {
      const moving = localConnections.leaveHome(line, to, order)
      return { at: fleet.self, line: moving.line, undelivered: numbered(moving.expected) }
    }
    return { at: fleet.self, line: null, undelivered: [] }
  }

  #moveIn({ account, visit, sessionId, waiting, at, line: facts, undelivered }: ServerMessageOf<'member'>): void {
    const { fleet, roster, localConnections } = this.#deps
    const comes = facts !== null && facts.order >= (this.#orders.get(account) ?? 0)
    let line: UserConnection | null = null
    if (facts && at === fleet.self) line = localConnections.comeHome(facts.id)
    else if (facts) {
      const remote = this.#remoteLine(facts, at)
      for (const one of undelivered) remote.expect(one.n, deliveryOf(one))
      line = remote
    }
    if (facts && comes) this.#orders.set(account, facts.order)
    if (line && !comes) line.close(roster.visitOf(account) === line.visit ? {} : { error: 'replaced' })
    roster.adopt(account, { visit, sessionId, waiting: waiting.map(deliveryOf) }, comes ? line : null)
    this.#isHere(account)
  }

  #expect(accountId: string): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.#expected.get(accountId) ?? new Set()
      this.#expected.set(accountId, waiters)
      const done = () => {
        cancel()
        waiters.delete(done)
        if (waiters.size === 0) this.#expected.delete(accountId)
        resolve()
      }
      const cancel = this.#deps.clock.after(GATHER_MS, done)
      waiters.add(done)
    })
  }

  #isHere(accountId: string): void {
    for (const done of [...(this.#expected.get(accountId) ?? [])]) done()
  }
}
