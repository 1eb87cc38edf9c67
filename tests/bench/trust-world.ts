import { pino } from 'pino'
import type { Delivery } from '../../server/hub/delivery.ts'
import { createSignallingMethods } from '../../server/hub/methods/signalling-methods.ts'
import { Roster } from '../../server/hub/roster.ts'
import type { UserConnection } from '../../server/hub/user-connection.ts'
import { Matches } from '../../server/matching/matches.ts'
import { Matchmaker } from '../../server/matching/matchmaker.ts'
import { createActivity } from '../../server/matching/rules/activity.ts'
import { MatchQueue } from '../../server/matching/rules/match-queue.ts'
import { Meetings, meetingRules } from '../../server/matching/rules/meetings.ts'
import { type Origin, TRUST_HALF_LIFE_MS, Trust } from '../../server/matching/rules/trust.ts'
import { untraced } from '../../server/operations/rules/trace.ts'
import { Background } from '../../server/platform/background.ts'
import type { Clock } from '../../server/platform/rules/clock.ts'
import { LocalCounts } from '../../server/platform/rules/counts.ts'
import { LocalDecayingSums } from '../../server/platform/rules/decaying-sums.ts'
import { queueTimes } from '../support/matching/queue-terms.ts'
import { noMetrics } from '../support/no-metrics.ts'
import { Agenda } from './agenda.ts'

export const MATCH_TIMEOUT_MS = 20_000
const NEXT_WAIT_SECONDS = 10

type Timer = { task: () => void; isCancelled: boolean }

/** A clock that jumps from one task to the next. */
class SimulatedClock implements Clock {
  readonly #agenda = new Agenda<Timer>()
  #now = 1_000_000

  now = (): number => this.#now

  after = (ms: number, task: () => void): (() => void) => {
    const timer = { task, isCancelled: false }
    this.#agenda.add(this.#now + Math.max(0, Math.round(ms)), timer)
    return () => {
      timer.isCancelled = true
    }
  }

  /** Runs all tasks of the next `ms`; what they wait for without the clock is done before the next one. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    while (this.#agenda.next <= until) {
      this.#now = this.#agenda.next
      while (this.#agenda.next <= this.#now) {
        const timer = this.#agenda.take()
        if (!timer.isCancelled) timer.task()
      }
      await new Promise(setImmediate)
    }
    this.#now = until
  }
}

/** The connection of a simulated user. Events are acknowledged after `ackMs`, or never where that is null. */
export class SimulatedConnection implements UserConnection {
  readonly id: string
  readonly accountId: string
  readonly sessionId = 'login'
  readonly visit = 'visit'
  readonly region = ''
  readonly network = ''
  readonly open = true
  readonly accepts = true
  readonly origin: Origin | null
  readonly backlog = { bytes: 0, messages: 0 }
  readonly #ackMs: () => number | null
  readonly #clock: Clock
  readonly #receive: (event: string, args: unknown[]) => void

  constructor(
    user: { accountId: string; origin: Origin | null; ackMs: () => number | null },
    clock: Clock,
    receive: (event: string, args: unknown[]) => void,
  ) {
    this.id = `connection of ${user.accountId}`
    this.accountId = user.accountId
    this.origin = user.origin
    this.#ackMs = user.ackMs
    this.#clock = clock
    this.#receive = receive
  }

  send(): void {}

  deliver(delivery: Delivery): void {
    const { target, arguments: args } = JSON.parse(delivery.text.slice(0, -1))
    this.#receive(target, args)
    const ackMs = this.#ackMs()
    if (ackMs !== null) this.#clock.after(ackMs, () => delivery.succeed())
  }

  undelivered(): Delivery[] {
    return []
  }

  close(): void {}
}

type WorldOptions = { random: () => number; hasTrust: boolean; blockedWith: (user: string) => string[] }

/** The server's own queue, matches and trust, without network and database. Without `hasTrust` nobody waits apart. */
export function createWorld({ random, hasTrust, blockedWith }: WorldOptions) {
  const clock = new SimulatedClock()
  const log = pino({ level: 'silent' })
  const background = new Background(log, clock)
  const roster = new Roster(clock, noMetrics, () => undefined)
  const trust = new Trust(new LocalDecayingSums(clock.now, ['failed', 'good', 'fair'], TRUST_HALF_LIFE_MS))
  const met = new Map<string, Set<string>>()
  let ids = 0
  const metOf = (user: string): Set<string> => {
    const known = met.get(user) ?? new Set<string>()
    met.set(user, known)
    return known
  }
  const meetings = new Meetings(new LocalCounts(clock.now), meetingRules(NEXT_WAIT_SECONDS, MATCH_TIMEOUT_MS))
  const shared = {
    clock,
    log,
    background,
    meetings,
    metrics: noMetrics,
    connections: roster,
    ...(hasTrust && { trust }),
  }
  const nothing = async () => undefined
  const matches = new Matches({
    ...shared,
    matchTimeoutMs: MATCH_TIMEOUT_MS,
    matchRecords: { open: nothing, confirm: nothing, close: nothing, all: async () => [], find: async () => null },
  })
  const matching = new Matchmaker({
    ...shared,
    queue: new MatchQueue({ ...queueTimes, languageCrowd: 100, random }),
    newId: () => `match-${++ids}`,
    accounts: { admission: async () => ({ status: 'Valid', hasProfile: true, languages: [], interests: [] }) },
    relations: {
      blockedWith: async (user) => blockedWith(user),
      metBy: async (user) => [...metOf(user)],
      recordMet: async (one, other) => {
        metOf(one).add(other)
        metOf(other).add(one)
      },
      block: nothing,
    },
    trace: untraced,
    matches,
    activity: createActivity(),
    waitForUsers: nothing,
  })
  return { clock, roster, matches, matching, trust, ...createSignallingMethods({ clock, roster, matches }) }
}
export type World = ReturnType<typeof createWorld>
