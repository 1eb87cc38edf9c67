import type { FastifyBaseLogger } from 'fastify'
import { DAY_MS } from '#protocol/durations.ts'
import { addressKey } from '../platform/http/client-address.ts'
import { AddressLimits } from '../platform/rules/address-limits.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Rate } from '../platform/rules/token-bucket.ts'
import type { Metrics } from './rules/metrics.ts'

/** Event names are stable: operators use them in alerts and searches. docs/incidents.md explains each event. */
export const securityEvents = [
  'sign-in-refused',
  'console-login-refused',
  'refresh-token-reused',
  'forbidden',
  'origin-refused',
  'rate-limited',
  'upload-refused',
  'hub-refused',
  'hub-invocation-refused',
  'hub-slowed',
  'account-suspended',
  'frame-flagged',
] as const
export type SecurityEventName = (typeof securityEvents)[number]

type SecurityEvent = {
  event: SecurityEventName
  /** Id of the account or moderator. */
  account?: string | undefined
  /** Network address of the client; only a digest of it is written. */
  address?: string | undefined
  /** Method and pattern of the route, without anything that the client sent. */
  route?: string | undefined
  /** Error code or status of the refusal. */
  code?: string | undefined
}

export type SecurityLog = {
  record(event: SecurityEvent): void
  /** Writes the counts of suppressed events and stops the timer. */
  stop(): void
}

/** Limit of log lines of one event of one account or address. */
const SOURCE_RATE: Rate = { burst: 5, perSecond: 1 / 60 }
/** Limit of log lines of one event of all sources together. */
const EVENT_RATE: Rate = { burst: 60, perSecond: 1 }
/** How often the counts of suppressed events are written. */
const SUMMARY_MS = 60_000

type Deps = {
  log: FastifyBaseLogger
  clock: Clock
  /** A one-way function with a secret key. */
  digest: (text: string) => string
  /** Counts every event, written or not. */
  counted: (event: SecurityEventName) => void
}

/**
 * Writes security events to the log, up to `SOURCE_RATE` and `EVENT_RATE`. Suppressed events are counted; once a minute
 * their counts are written, one line for each event. Lines contain ids only: an address (IPv4, or /64 of IPv6) becomes
 * a keyed digest that changes every UTC day.
 */
export function createSecurityLog({ log, clock, digest, counted }: Deps): SecurityLog {
  const sources = new AddressLimits(SOURCE_RATE)
  const kinds = new AddressLimits(EVENT_RATE)
  const suppressed = new Map<SecurityEventName, number>()
  let cancelSummary: (() => void) | null = null

  function mayWrite(event: SecurityEventName, source: string): boolean {
    const now = clock.now()
    return sources.allows(`${event} ${source}`, now) && kinds.allows(event, now)
  }

  function writeSummary(): void {
    cancelSummary?.()
    cancelSummary = null
    for (const [event, count] of suppressed) log.warn({ event, suppressed: count }, 'security events not written')
    suppressed.clear()
  }

  function suppress(event: SecurityEventName): void {
    suppressed.set(event, (suppressed.get(event) ?? 0) + 1)
    cancelSummary ??= clock.after(SUMMARY_MS, writeSummary)
  }

  return {
    record({ event, account, address, route, code }) {
      counted(event)
      const network = address === undefined ? undefined : addressKey(address)
      if (!mayWrite(event, account ?? network ?? '')) return suppress(event)
      const day = Math.floor(clock.now() / DAY_MS)
      const from = network === undefined ? undefined : digest(`${day} ${network}`).slice(0, 16)
      log.warn({ event, account, from, route, code }, 'security event')
    },
    stop: writeSummary,
  }
}

/** Error codes of hub invocations that pages of the product never cause. They cause other codes when messages cross. */
const invocationEvents: Partial<Record<string, SecurityEventName>> = {
  'too-many-requests': 'hub-slowed',
  'bad-request': 'hub-invocation-refused',
  'too-large': 'hub-invocation-refused',
  blocked: 'hub-invocation-refused',
  forbidden: 'hub-invocation-refused',
}

/** Returns metrics that also record refusals of the hub as security events. */
export function withHubRefusals(metrics: Metrics, security: Pick<SecurityLog, 'record'>): Metrics {
  return {
    ...metrics,
    refused(at, reason, account) {
      metrics.refused(at, reason, account)
      const isFlood = at === 'socket' && reason === 'too-many-requests'
      const event = isFlood ? 'hub-slowed' : at === 'invocation' && invocationEvents[reason]
      if (event) security.record({ event, account, code: reason, route: `hub ${at}` })
    },
  }
}
