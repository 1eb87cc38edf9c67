import type { IncomingMessage } from 'node:http'
import Fastify from 'fastify'
import { pino } from 'pino'
import * as v from 'valibot'
import type { BlockStatus } from '#protocol/block-status.ts'
import { HUB_RESUME_MS } from '#protocol/constants.ts'
import type { Profile } from '../../../server/accounts/rules/ports.ts'
import type { Hub, HubDeps } from '../../../server/hub/hub.ts'
import { createHub } from '../../../server/hub/hub.ts'
import { createLocalRouter, type HubRouter } from '../../../server/hub/hub-router.ts'
import { type HubRates, hubRates } from '../../../server/hub/rate-limits.ts'
import { type Activity, createActivity } from '../../../server/matching/rules/activity.ts'
import { MatchQueue, type QueueOptions } from '../../../server/matching/rules/match-queue.ts'
import type { MatchRecord, MatchRecords } from '../../../server/matching/rules/ports.ts'
import type { Report } from '../../../server/moderation/rules/ports.ts'
import { untraced } from '../../../server/operations/rules/trace.ts'
import type { Clock } from '../../../server/platform/rules/clock.ts'
import { fakeClock } from '../fake-clock.ts'
import { Gate } from '../gate.ts'
import { queueTimes } from '../matching/queue-terms.ts'
import { noMetrics } from '../no-metrics.ts'
import { StateChanges } from '../state-changes.ts'

/** A hub on a real port with the rest of the server in memory. Every account exists; the token names it. */

export const ORIGIN = 'https://waggle.test'
const MATCH_TIMEOUT_MS = 20_000
/** The time limit of a match where the clock is the machine's: nobody answers sooner only because the machine is slow. */
export const UNHURRIED_MS = 600_000
export const RELAX_AFTER_MS = 10_000
const SPILL_AFTER_MS = 3_000

const logLineSchema = v.object({ level: v.number(), msg: v.string(), connection: v.optional(v.string()) })
type LogLine = v.InferOutput<typeof logLineSchema>

/** A hub token: the account and its login session. */
export function tokenOf(accountId: string): string {
  return `token.${accountId}.session-${accountId}`
}

/** `report`: the report is written, but the result is lost. */
type Fault = 'presence' | 'profile' | 'open' | 'connected' | 'close' | 'report'

/** The dependencies of a hub and of its router. */
export type HubWorldDeps = Omit<HubDeps, 'router' | 'activity'> &
  Omit<QueueOptions, 'keepMs'> & {
    matchRecords: MatchRecords
    /** Instead of the router of a single server. */
    router?: HubRouter
    /** Instead of the counts of this hub alone. */
    activity?: Activity
  }

export function queueOptionsOf({ random, ...deps }: HubWorldDeps): QueueOptions {
  const { languageAfterMs, anybodyAfterMs, spillAfterMs, apartAfterMs, relaxAfterMs, languageCrowd } = deps
  const times = { languageAfterMs, anybodyAfterMs, spillAfterMs, apartAfterMs, relaxAfterMs }
  return { random, ...times, languageCrowd, keepMs: HUB_RESUME_MS }
}

export function hubWorld(clock: Clock) {
  const statuses = new Map<string, BlockStatus>()
  const blocks: [string, string][] = []
  const met: [string, string][] = []
  const reports: Report[] = []
  const judged: string[] = []
  const live = new Map<string, MatchRecord>()
  /** By ended match: when its answer was relayed. */
  const answeredAt = new Map<string, number | null>()
  const faults = new Set<Fault>()
  const logged: string[] = []
  const seen: string[] = []
  let ids = 0
  const relationsGate = new Gate()
  const reportsGate = new Gate()

  function fail(what: Fault): void {
    if (faults.has(what)) throw new Error(`secret detail of ${what}`)
  }

  const statusOf = (id: string): BlockStatus => statuses.get(id) ?? 'Valid'

  const shared = {
    gender: 'others',
    dateOfBirth: '1990-01-01',
    consentVersion: '1',
    consentAt: 0,
  } as const

  function profile(id: string): Profile {
    fail('profile')
    const nickName = `Nick ${id.toUpperCase()}`
    return { ...shared, nickName, languages: [], interests: [] }
  }

  const others = (pairs: [string, string][], id: string) =>
    pairs.filter((pair) => pair.includes(id)).map(([one, other]) => (one === id ? other : one))

  const lines: LogLine[] = []
  const logChanges = new StateChanges()
  const write = (text: string) => {
    const line = v.parse(logLineSchema, JSON.parse(text))
    lines.push(line)
    if (line.level >= 50) logged.push(text)
    logChanges.notify()
  }
  const log = pino({ level: 'info' }, { write })

  /** Resolves when the hub has logged these messages about the connection, `times` times in all. */
  function logs(connection: string, messages: string[], times = 1): Promise<void> {
    const isLogged = (line: LogLine) => line.connection === connection && messages.includes(line.msg)
    return logChanges.until(() => lines.filter(isLogged).length >= times)
  }

  /** Resolves when the hub has noticed that this connection or its socket is closed. */
  const disconnected = (connection: string, times = 1) =>
    logs(connection, ['hub: connection closed', 'hub: connection dropped'], times)
  /** Resolves when the connection has exceeded its traffic limit. */
  const slowed = (connection: string) => logs(connection, ['hub: connection over its traffic limit'])
  /** Resolves when a search of this connection is delayed. */
  const delayed = (connection: string, times = 1) => logs(connection, ['matching: search delayed'], times)

  const deps: HubWorldDeps = {
    clock,
    random: () => 0.9,
    newId: () => `id-${++ids}`,
    readHubToken: async (token) => {
      const [, accountId, sessionId] = /^token\.(\w+)\.([\w-]+)$/.exec(token) ?? []
      return accountId && sessionId && accountId !== 'nobody'
        ? { accountId, sessionId, account: { status: statusOf(accountId) } }
        : null
    },
    accounts: {
      nickName: async (id) => (id === 'unnamed' ? null : profile(id).nickName),
      admission: async (id) => {
        if (id === 'nobody') return null
        const { languages, interests } = profile(id)
        return { status: statusOf(id), hasProfile: id !== 'unnamed', languages, interests }
      },
    },
    relations: {
      blockedWith: async (id) => {
        const known = others(blocks, id)
        await relationsGate.pass()
        return known
      },
      metBy: async (id) => others(met, id),
      recordMet: async (one, other) => void met.push([one, other]),
      block: async (by, whom) => void blocks.push([by, whom]),
    },
    matchRecords: {
      open: async (session) => {
        fail('open')
        live.set(session.id, session)
      },
      confirm: async (id, role) => {
        fail('connected')
        const session = live.get(id)
        if (session && role === 'Caller') session.connected = true
      },
      close: async (id, _, at) => {
        fail('close')
        live.delete(id)
        answeredAt.set(id, at)
      },
      all: async () => [...live.values()],
      find: async () => null,
    },
    recordReport: async (report) => {
      await reportsGate.pass()
      const again = reports.some((one) => one.session === report.session && one.reporter === report.reporter)
      if (again) return false
      reports.push(report)
      blocks.push([report.reporter, report.reported])
      fail('report')
      return true
    },
    judge: async (id) => void judged.push(id),
    words: { shownNickname: async (nickName) => nickName },
    aliasOf: (viewer, peer) => `alias-${peer}-for-${viewer}`,
    presence: {
      seen: (id) => {
        fail('presence')
        seen.push(id)
      },
      count: () => new Set(seen).size,
    },
    /** Tests name the address of a client as `from`. */
    addressOf: ({ url = '' }: IncomingMessage) => new URL(url, 'http://x').searchParams.get('from') ?? '127.0.0.1',
    originOf: () => null,
    originAllowed: (origin) => origin === ORIGIN,
    mayConnect: () => true,
    socketRefused: () => undefined,
    forgetLogins: () => undefined,
    rates: hubRates,
    metrics: noMetrics,
    trace: untraced,
    matchTimeoutMs: MATCH_TIMEOUT_MS,
    ...queueTimes,
    relaxAfterMs: RELAX_AFTER_MS,
    region: '',
    spillAfterMs: SPILL_AFTER_MS,
    log,
  }
  return {
    deps,
    statuses,
    blocks,
    met,
    reports,
    judged,
    live,
    answeredAt,
    faults,
    logged,
    seen,
    disconnected,
    slowed,
    delayed,
    relationsGate,
    reportsGate,
  }
}

const unlimited = { perSecond: 1e9, burst: 1e9 }
export const unlimitedRates: HubRates = {
  chat: unlimited,
  descriptions: unlimited,
  signalling: unlimited,
  joins: unlimited,
  typing: unlimited,
  control: unlimited,
  traffic: unlimited,
  connections: unlimited,
}

export type HubServer = {
  hub: Hub
  /** Such as http://127.0.0.1:40123/chathub. */
  url: string
  stop(): Promise<void>
}

/** A hub on a real port. */
export async function startHub(deps: HubWorldDeps): Promise<HubServer> {
  const app = Fastify()
  const { matchRecords, router = createLocalRouter({ queue: new MatchQueue(queueOptionsOf(deps)), matchRecords }) } =
    deps
  const hub = createHub({ activity: createActivity(), ...deps, router })
  hub.register(app)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return { hub, url: `${address}/chathub`, stop: () => app.close() }
}

/** A hub with a clock that the test moves. */
export async function startHubWorld() {
  const clock = fakeClock(1_000_000)
  const world = hubWorld(clock)
  const server = await startHub(world.deps)
  return { ...world, clock, ...server }
}
