import fc from 'fast-check'
import { pino } from 'pino'
import type { HubEvent } from '#protocol/hub.ts'
import type { UserConnection } from '../../../server/hub/connection.ts'
import { ConnectionLifecycle } from '../../../server/hub/connection-lifecycle.ts'
import type { Delivery } from '../../../server/hub/delivery.ts'
import { Roster } from '../../../server/hub/roster.ts'
import { Matches } from '../../../server/matching/matches.ts'
import { Matchmaker } from '../../../server/matching/matchmaker.ts'
import { MatchQueue } from '../../../server/matching/rules/match-queue.ts'
import type { MatchRecord } from '../../../server/matching/rules/ports.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import { noMetrics } from '../../../server/operations/rules/metrics.ts'
import { untraced } from '../../../server/operations/rules/trace.ts'
import { Background } from '../../../server/platform/background.ts'
import { fakeClock } from '../fake-clock.ts'

/** Queue, matches and deliveries under any order of events, held against the plainest account of who is where. */

export const RELAX_MS = 10_000
export const SPILL_MS = 3_000
const MATCH_TIMEOUT_MS = 20_000
export const RESUME_MS = 45_000
const RETAINED_MS = 30_000
/** Longer than any wait after which somebody eligible must have been paired. */
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
  readonly isStateful: boolean
  readonly seen: string[]
  state: 'open' | 'away' | 'ended' = 'open'
  readonly #ended: (line: FakeConnection) => void
  #kept: Delivery[] = []

  constructor(
    who: { id: string; accountId: string; visit: string; region: string; isStateful: boolean; seen: string[] },
    ended: (line: FakeConnection) => void,
  ) {
    this.id = who.id
    this.accountId = who.accountId
    this.visit = who.visit
    this.region = who.region
    this.isStateful = who.isStateful
    this.seen = who.seen
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

  /** What was told while it was away comes over the new socket. */
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

/** A queue that is not in this process; `idle` resolves when it has answered everything. */
export type SharedQueue = {
  queue: Queue
  idle: () => Promise<void>
  opened: (session: MatchRecord) => Promise<void>
  closed: (id: string) => Promise<void>
}

type Person = {
  connection: FakeConnection | null
  visits: number
  /** They asked for a match and nothing has come of it; null when they do not wait. */
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
    const roster = new Roster(this.clock)
    const { clock } = this
    const others = (pairs: Set<string>, name: string) =>
      people.filter((other) => other !== name && pairs.has(pairOf(name, other)))
    const matches = new Matches({
      clock,
      matchRecords: {
        open: async (session) => {
          this.#opened(session)
          await shared?.opened(session)
        },
        confirm: async () => undefined,
        close: async (id) => {
          this.#live.delete(id)
          await shared?.closed(id)
        },
        all: async () => [],
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
        shared?.queue ?? new MatchQueue({ random, relaxAfterMs: RELAX_MS, spillAfterMs: SPILL_MS, keepMs: RESUME_MS }),
      metrics: noMetrics,
      trace: untraced,
      newId: () => `s${++this.#ids}`,
      accounts: {
        find: async (id) => ({
          id,
          status: 'Valid',
          provider: 'Google',
          subject: id,
          email: '',
          loginsSince: 0,
          language: 'en',
          firstName: '',
          lastName: '',
        }),
        profile: async () => ({
          nickName: '',
          gender: 'others',
          dateOfBirth: '',
          consentVersion: '',
          consentAt: 0,
        }),
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
    this.#lifecycle = new ConnectionLifecycle({ roster, matches, matching, metrics: noMetrics })
  }

  person(name: string): Person {
    const person = this.persons.get(name)
    if (!person) throw new Error(`nobody is called ${name}`)
    return person
  }

  connect(name: string, options: { isStateful: boolean; isSamePage: boolean; region?: string }): void {
    const person = this.person(name)
    if (!options.isSamePage) person.visits += 1
    const { isStateful, region = '' } = options
    const who = { id: `c${++this.#ids}`, accountId: name, visit: `v${person.visits}`, region, isStateful, seen: [] }
    person.connection = new FakeConnection(who, (line) => this.#lifecycle.close(line))
    this.#back(person)
    this.#lifecycle.connect(person.connection)
  }

  drop(name: string): void {
    const person = this.person(name)
    const { connection: line } = person
    if (!line?.open) return
    person.awaySince = this.clock.now()
    if (!line.isStateful) {
      line.close()
      return
    }
    line.state = 'away'
    this.#lifecycle.drop(line)
    const since = person.awaySince
    this.clock.after(RETAINED_MS, () => {
      if (line.state === 'away' && person.awaySince === since) line.close()
    })
  }

  resume(name: string): void {
    const person = this.person(name)
    if (person.connection?.state !== 'away') return
    this.#back(person)
    person.connection.replay()
    this.#lifecycle.resume(person.connection)
  }

  closeByClient(name: string): void {
    const person = this.person(name)
    if (!person.connection?.open) return
    person.waitsSince = null
    this.#lifecycle.closeByClient(person.connection)
    person.connection.close()
  }

  /** They are in a match, or one is being made for them. */
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
    const session = this.#matches.of(name)
    if (session?.isAnnounced)
      this.#matches.end(
        session,
        people.filter((other) => other !== name && this.#isIn(session, other)),
        'next',
      )
  }

  async confirm(name: string): Promise<void> {
    const session = this.#matches.of(name)
    if (session?.isAnnounced) this.#matches.confirm(session, session.caller.accountId)
  }

  block(by: string, whom: string): void {
    if (by === whom) return
    this.#blocked.add(pairOf(by, whom))
    this.#matching.block(by, whom)
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
    // In small parts, as the work between two timers needs turns of its own.
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
        if (this.#matches.of(name)?.id !== id) throw new Error(`session ${id} is kept of nobody`)
      }
  }

  /** Nobody who waits and is there is left beside somebody whom they may meet. */
  async settle(): Promise<void> {
    this.repairStore()
    await this.pass(SETTLE_MS)
    this.check()
    const waiting = people.filter((name) => this.person(name).waitsSince !== null && this.person(name).connection?.open)
    for (const one of waiting)
      for (const other of waiting)
        if (one < other && !this.#blocked.has(pairOf(one, other))) throw new Error(`${one} and ${other} are stranded`)
  }

  #isIn(session: { caller: { accountId: string }; callee: { accountId: string } }, name: string): boolean {
    return session.caller.accountId === name || session.callee.accountId === name
  }

  #back(person: Person): void {
    const { awaySince } = person
    if (awaySince !== null && this.clock.now() - awaySince >= RESUME_MS) person.waitsSince = null
    person.awaySince = null
  }

  #opened(session: MatchRecord): void {
    if (this.#storeFails) throw new Error('the store does not answer')
    const { caller, callee } = session
    if (caller === callee) throw new Error(`${caller} is paired with themself`)
    if (this.#blocked.has(pairOf(caller, callee))) throw new Error(`${caller} and ${callee} exclude each other`)
    for (const name of [caller, callee])
      if (!this.person(name).connection?.open) throw new Error(`${name} is paired while away`)
    this.#live.set(session.id, session)
    for (const name of [caller, callee]) this.person(name).waitsSince = null
  }
}

type Act = (world: World) => void | Promise<void>
type Step = { name: string; act: Act }
const somebody = fc.constantFrom(...people)

function step(name: string, weight: number, act: (who: string, world: World) => void | Promise<void>) {
  const arbitrary = somebody.map((who): Step => ({ name: `${name} ${who}`, act: (world) => act(who, world) }))
  return { weight, arbitrary }
}

const somewhere = fc.constantFrom('', 'eu', 'us')
const connect = fc
  .tuple(somebody, fc.boolean(), fc.boolean(), somewhere)
  .map(([who, isStateful, isSamePage, region]): Step => {
    const name = `connect ${who} ${region}${isStateful ? ' stateful' : ''}${isSamePage ? ' same page' : ''}`
    return { name, act: (world) => world.connect(who, { isStateful, isSamePage, region }) }
  })
const block = fc
  .tuple(somebody, somebody)
  .map(([by, whom]): Step => ({ name: `block ${by} ${whom}`, act: (world) => world.block(by, whom) }))
const pass = (max: number, unit: number) =>
  fc.integer({ min: 1, max }).map((ms): Step => ({ name: `pass ${ms * unit}`, act: (world) => world.pass(ms * unit) }))

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: connect },
  step('join', 9, (who, world) => world.join(who)),
  step('drop', 3, (who, world) => world.drop(who)),
  step('return', 3, (who, world) => world.resume(who)),
  step('quit', 1, (who, world) => world.closeByClient(who)),
  step('next', 3, (who, world) => world.next(who)),
  step('stand', 2, (who, world) => world.confirm(who)),
  step('acknowledge', 2, (who, world) => world.acknowledge(who)),
  { weight: 1, arbitrary: block },
  { weight: 3, arbitrary: pass(4_000, 1) },
  { weight: 1, arbitrary: pass(24, 2_000) },
  { weight: 1, arbitrary: fc.constant<Step>({ name: 'store breaks', act: (world) => world.breakStore() }) },
  { weight: 2, arbitrary: fc.constant<Step>({ name: 'store mends', act: (world) => world.repairStore() }) },
)

const RUN_STEPS = 250
const RUNS = 20

/** Runs at least `count` random steps; rejects with the shortest run that breaks a promise. Answers how many ran. */
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
  while (ran < count) await fc.assert(property, { numRuns: share ? 1 : RUNS })
  return ran
}
