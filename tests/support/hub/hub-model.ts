import fc from 'fast-check'
import { pino } from 'pino'
import type { HubEvent } from '#protocol/hub.ts'
import { type ConnectionLifecycle, createConnectionLifecycle } from '../../../server/hub/connection-lifecycle.ts'
import type { Delivery } from '../../../server/hub/delivery.ts'
import { Roster } from '../../../server/hub/roster.ts'
import type { UserConnection } from '../../../server/hub/user-connection.ts'
import { Matches } from '../../../server/matching/matches.ts'
import { Matchmaker } from '../../../server/matching/matchmaker.ts'
import { createActivity } from '../../../server/matching/rules/activity.ts'
import { partnerOf } from '../../../server/matching/rules/match.ts'
import { MatchQueue } from '../../../server/matching/rules/match-queue.ts'
import type { MatchRecord } from '../../../server/matching/rules/ports.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import { untraced } from '../../../server/operations/rules/trace.ts'
import { Background } from '../../../server/platform/background.ts'
import { fakeClock } from '../fake-clock.ts'
import { queueTimes } from '../matching/queue-terms.ts'
import { noMetrics } from '../no-metrics.ts'
import { runSeed } from '../run-seed.ts'

/** Queue, matches and deliveries under any order of events, compared with a simple model. */

export const RELAX_MS = 10_000
export const SPILL_MS = 3_000
const MATCH_TIMEOUT_MS = 20_000
export const RESUME_MS = 45_000
const RETAINED_MS = 30_000
/** Longer than any wait after which eligible users must have been paired. */
const SETTLE_MS = RELAX_MS + 3_000
const people = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

const pairOf = (one: string, other: string) => [one, other].sort().join()

/** A connection without a network. A stateful one keeps what was delivered until the test acknowledges it. */
class FakeConnection implements UserConnection {
  readonly id: string
  readonly accountId: string
  readonly sessionId = 'session'
  readonly visit: string | null
  readonly region: string
  readonly network = ''
  readonly origin = null
  readonly isStateful: boolean
  readonly seen: string[]
  state: 'open' | 'away' | 'ended' = 'open'
  readonly #ended: (connection: FakeConnection) => void
  #kept: Delivery[] = []

  constructor(
    owner: { id: string; accountId: string; visit: string; region: string; isStateful: boolean; seen: string[] },
    ended: (connection: FakeConnection) => void,
  ) {
    this.id = owner.id
    this.accountId = owner.accountId
    this.visit = owner.visit
    this.region = owner.region
    this.isStateful = owner.isStateful
    this.seen = owner.seen
    this.#ended = ended
  }

  get open(): boolean {
    return this.state === 'open'
  }

  get accepts(): boolean {
    return this.open || (this.isStateful && this.state === 'away')
  }

  send(_event: HubEvent): void {}

  deliver(delivery: Delivery): void {
    if (this.open) this.seen.push(delivery.text)
    if (this.isStateful) this.#kept.push(delivery)
    else delivery.succeed()
  }

  undelivered(): Delivery[] {
    return [...this.#kept]
  }

  get backlog(): { bytes: number; messages: number } {
    return { bytes: 0, messages: this.#kept.length }
  }

  acknowledge(): void {
    for (const delivery of this.#kept) delivery.succeed()
    this.#kept = []
  }

  /** Sends over the new socket what was delivered while the connection had none. */
  replay(): void {
    this.state = 'open'
    for (const { text } of this.#kept) this.seen.push(text)
  }

  close(): void {
    if (this.state === 'ended') return
    this.state = 'ended'
    queueMicrotask(() => this.#ended(this))
  }
}

/** A queue outside this process; `idle` resolves when all its steps have resolved. */
export type SharedQueue = {
  queue: Queue
  idle: () => Promise<void>
  opened: (match: MatchRecord) => Promise<void>
  closed: (id: string) => Promise<void>
}

type Person = {
  connection: FakeConnection | null
  visits: number
  /** When the user joined without a match so far; null when the user does not wait. */
  waitsSince: number | null
  awaySince: number | null
}

export class World {
  readonly clock = fakeClock()
  readonly persons = new Map<string, Person>(
    people.map((name) => [name, { connection: null, visits: 0, waitsSince: null, awaySince: null }]),
  )
  readonly #blocked = new Set<string>()
  readonly #met = new Set<string>()
  readonly #live = new Map<string, MatchRecord>()
  readonly #matches: Matches
  readonly #matching: Matchmaker
  readonly #lifecycle: ConnectionLifecycle
  #storeFails = false
  #ids = 0

  readonly #idle: () => Promise<void>

  constructor(random: () => number, shared?: SharedQueue) {
    this.#idle = shared?.idle ?? (async () => undefined)
    const log = pino({ level: 'silent' })
    const background = new Background(log, this.clock)
    const roster = new Roster(this.clock, noMetrics, () => undefined)
    const { clock } = this
    const others = (pairs: Set<string>, name: string) =>
      people.filter((other) => other !== name && pairs.has(pairOf(name, other)))
    const matches = new Matches({
      clock,
      matchRecords: {
        open: async (match) => {
          this.#opened(match)
          await shared?.opened(match)
        },
        confirm: async () => undefined,
        close: async (id) => {
          this.#live.delete(id)
          await shared?.closed(id)
        },
        all: async () => [],
        find: async () => null,
      },
      matchTimeoutMs: MATCH_TIMEOUT_MS,
      metrics: noMetrics,
      log,
      connections: roster,
      background,
    })
    const matching = new Matchmaker({
      clock,
      queue:
        shared?.queue ??
        new MatchQueue({ ...queueTimes, random, relaxAfterMs: RELAX_MS, spillAfterMs: SPILL_MS, keepMs: RESUME_MS }),
      activity: createActivity(),
      metrics: noMetrics,
      trace: untraced,
      newId: () => `s${++this.#ids}`,
      accounts: {
        admission: async () => ({ status: 'Valid', hasProfile: true, languages: [], interests: [] }),
      },
      relations: {
        blockedWith: async (id) => others(this.#blocked, id),
        metBy: async (id) => others(this.#met, id),
        recordMet: async (one, other) => void this.#met.add(pairOf(one, other)),
        block: async () => undefined,
      },
      log,
      connections: roster,
      matches,
      background,
      waitForUsers: async () => undefined,
    })
    this.#matches = matches
    this.#matching = matching
    this.#lifecycle = createConnectionLifecycle({ roster, matches, matching, metrics: noMetrics })
  }

  person(name: string): Person {
    const person = this.persons.get(name)
    if (!person) throw new Error(`no user is called ${name}`)
    return person
  }

  connect(name: string, options: { isStateful: boolean; isSamePage: boolean; region?: string }): void {
    const person = this.person(name)
    if (!options.isSamePage) person.visits += 1
    const { isStateful, region = '' } = options
    const owner = { id: `c${++this.#ids}`, accountId: name, visit: `v${person.visits}`, region, isStateful, seen: [] }
    person.connection = new FakeConnection(owner, (connection) => this.#lifecycle.closed(connection))
    this.#back(person)
    this.#lifecycle.opened(person.connection)
  }

  drop(name: string): void {
    const person = this.person(name)
    const { connection } = person
    if (!connection?.open) return
    person.awaySince = this.clock.now()
    if (!connection.isStateful) {
      connection.close()
      return
    }
    connection.state = 'away'
    this.#lifecycle.dropped(connection)
    const since = person.awaySince
    this.clock.after(RETAINED_MS, () => {
      if (connection.state === 'away' && person.awaySince === since) connection.close()
    })
  }

  resume(name: string): void {
    const person = this.person(name)
    if (person.connection?.state !== 'away') return
    this.#back(person)
    person.connection.replay()
    this.#lifecycle.resumed(person.connection)
  }

  closeByClient(name: string): void {
    const person = this.person(name)
    if (!person.connection?.open) return
    person.waitsSince = null
    this.#lifecycle.closedByClient(person.connection)
    person.connection.close()
  }

  /** True for a user in a match, or whose match is being written. */
  isTaken(name: string): boolean {
    return this.#matches.of(name) !== undefined
  }

  async join(name: string): Promise<void> {
    const person = this.person(name)
    if (!person.connection?.open) return
    await this.#matching.join(person.connection)
    if (!this.#matches.of(name)) person.waitsSince ??= this.clock.now()
  }

  next(name: string): void {
    const match = this.#matches.of(name)
    if (match?.isAnnounced)
      this.#matches.end(
        match,
        people.filter((other) => other !== name && this.#isIn(match, other)),
        'next',
      )
  }

  async confirm(name: string): Promise<void> {
    const match = this.#matches.of(name)
    if (match?.isAnnounced) this.#matches.confirm(match, match.caller.accountId)
  }

  block(by: string, whom: string): void {
    if (by === whom) return
    this.#blocked.add(pairOf(by, whom))
    this.#matching.block(by, whom)
  }

  /** Blocks the partner of a match that is being written; blocks of any two rarely come at that time. */
  blockPartner(name: string): void {
    const match = this.#matches.of(name)
    if (match && !match.isAnnounced) this.block(name, partnerOf(match, name).accountId)
  }

  acknowledge(name: string): void {
    this.person(name).connection?.acknowledge()
  }

  breakStore(): void {
    this.#storeFails = true
  }

  repairStore(): void {
    this.#storeFails = false
  }

  async pass(ms: number): Promise<void> {
    // In small steps, since the work between two timers needs event-loop turns of its own.
    for (let left = ms; left > 0; left -= 1_000) {
      this.clock.advance(Math.min(left, 1_000))
      await this.flush()
    }
  }

  async flush(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      await this.#idle()
    }
  }

  /** What must hold after every step. */
  check(): void {
    const busy = new Set<string>()
    for (const { id, caller, callee } of this.#live.values())
      for (const name of [caller, callee]) {
        if (busy.has(name)) throw new Error(`${name} is in two matches`)
        busy.add(name)
        if (this.#matches.of(name)?.id !== id) throw new Error(`match ${id} is not known to both`)
      }
  }

  /** Lets all waits pass and throws when two present users who may meet still wait. */
  async settle(): Promise<void> {
    this.repairStore()
    await this.pass(SETTLE_MS)
    this.check()
    const waiting = people.filter((name) => this.person(name).waitsSince !== null && this.person(name).connection?.open)
    for (const one of waiting)
      for (const other of waiting)
        if (one < other && !this.#blocked.has(pairOf(one, other)))
          throw new Error(`${one} and ${other} are left waiting`)
  }

  #isIn(match: { caller: { accountId: string }; callee: { accountId: string } }, name: string): boolean {
    return match.caller.accountId === name || match.callee.accountId === name
  }

  #back(person: Person): void {
    const { awaySince } = person
    if (awaySince !== null && this.clock.now() - awaySince >= RESUME_MS) person.waitsSince = null
    person.awaySince = null
  }

  #opened(match: MatchRecord): void {
    if (this.#storeFails) throw new Error('the store does not answer')
    const { caller, callee } = match
    if (caller === callee) throw new Error(`${caller} is paired with themself`)
    if (this.#blocked.has(pairOf(caller, callee))) throw new Error(`${caller} and ${callee} exclude each other`)
    for (const name of [caller, callee])
      if (!this.person(name).connection?.open) throw new Error(`${name} is paired while away`)
    this.#live.set(match.id, match)
    for (const name of [caller, callee]) this.person(name).waitsSince = null
  }
}

type Act = (world: World) => void | Promise<void>
type Step = { name: string; act: Act }
const anyUser = fc.constantFrom(...people)

function step(name: string, weight: number, act: (user: string, world: World) => void | Promise<void>) {
  const arbitrary = anyUser.map((user): Step => ({ name: `${name} ${user}`, act: (world) => act(user, world) }))
  return { weight, arbitrary }
}

const anyRegion = fc.constantFrom('', 'eu', 'us')
const connect = fc
  .tuple(anyUser, fc.boolean(), fc.boolean(), anyRegion)
  .map(([user, isStateful, isSamePage, region]): Step => {
    const name = `connect ${user} ${region}${isStateful ? ' stateful' : ''}${isSamePage ? ' same page' : ''}`
    return { name, act: (world) => world.connect(user, { isStateful, isSamePage, region }) }
  })
const block = fc
  .tuple(anyUser, anyUser)
  .map(([by, whom]): Step => ({ name: `block ${by} ${whom}`, act: (world) => world.block(by, whom) }))
const pass = (max: number, unit: number) =>
  fc.integer({ min: 1, max }).map((ms): Step => ({ name: `pass ${ms * unit}`, act: (world) => world.pass(ms * unit) }))

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: connect },
  step('join', 9, (user, world) => world.join(user)),
  step('drop', 3, (user, world) => world.drop(user)),
  step('resume', 3, (user, world) => world.resume(user)),
  step('close by client', 1, (user, world) => world.closeByClient(user)),
  step('next', 3, (user, world) => world.next(user)),
  step('confirm', 2, (user, world) => world.confirm(user)),
  step('acknowledge', 2, (user, world) => world.acknowledge(user)),
  { weight: 1, arbitrary: block },
  step('block partner', 2, (user, world) => world.blockPartner(user)),
  { weight: 3, arbitrary: pass(4_000, 1) },
  { weight: 1, arbitrary: pass(24, 2_000) },
  { weight: 1, arbitrary: fc.constant<Step>({ name: 'store breaks', act: (world) => world.breakStore() }) },
  { weight: 2, arbitrary: fc.constant<Step>({ name: 'store works', act: (world) => world.repairStore() }) },
)

const RUN_STEPS = 250
const RUNS = 20

/** Runs at least `count` random steps and resolves with their number. Rejects with the shortest run that fails a check. */
export async function checkHubModel(count: number, share?: (random: () => number) => SharedQueue): Promise<number> {
  let ran = 0
  const noise = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  const property = fc.asyncProperty(
    fc.array(steps, { minLength: 1, maxLength: RUN_STEPS, size: 'max' }),
    noise,
    async (run, random) => {
      const draw = () => random.next().value
      const world = new World(draw, share?.(draw))
      for (const { act } of run) {
        await act(world)
        await world.flush()
        world.check()
        ran += 1
      }
      await world.settle()
    },
  )
  // Each round has a seed of its own: with the one of the run all rounds would be the same.
  for (let round = 0; ran < count; round += 1)
    await fc.assert(property, { numRuns: share ? 1 : RUNS, seed: runSeed + round })
  return ran
}
