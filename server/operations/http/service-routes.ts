import * as v from 'valibot'
import { LOG_BATCH_ENTRIES, VALID } from '#protocol/constants.ts'
import type { LogLevel } from '#protocol/fields.ts'
import { type LogEntry, levelOf } from '#protocol/log-entry.ts'
import type { OnlineCounts } from '#protocol/online-counts.ts'
import { listOf } from '#protocol/parse.ts'
import type { ServiceStatus } from '#protocol/service-status.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import type { FrameWatch } from '../../frames/rules/frame-watch.ts'
import { idempotencyKey } from '../../platform/http/idempotency.ts'
import { CURTAIN_RATE, EXPERIENCE_RATE, LOG_RATE, ONLINE_RATE, STATUS_RATE } from '../../platform/http/rate-limits.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { CountryLabels } from '../rules/country-labels.ts'
import { CLIENT_LOGS, CURTAIN_LOOKS, EXPERIENCES, type MayAdd } from '../rules/daily-limit.ts'
import type { Metrics } from '../rules/metrics.ts'
import type { Countries, Logs } from '../rules/ports.ts'
import { cleanLogs } from './clean-logs.ts'

type ServiceHttp = {
  /** Levels of the browsers' log entries that are stored; empty if client logs are off. */
  clientLogs: readonly LogLevel[]
  logs: Logs
  countries: Countries
  labels: CountryLabels
  clock: Clock
  onlineCounts: () => OnlineCounts
  frameWatch: Pick<FrameWatch, 'seenOnDashboard'>
  metrics: Pick<Metrics, 'curtain' | 'experience'>
  mayAdd: MayAdd
  readStatus: () => Promise<ServiceStatus>
}

/** The endpoints for the server's time and state, the number of users online, what browsers measured, and log batches. */
export function serviceRoutes(endpoint: UserEndpoint, deps: ServiceHttp): void {
  const { clock, onlineCounts, frameWatch, metrics, mayAdd, readStatus } = deps

  endpoint('readServerTime', () => {
    const now = clock.now()
    return { timestamp: now, time: new Date(now).toISOString() }
  })

  // Only the dashboard requests this, every 10 s unless a response to a camera frame has contained the number.
  endpoint(
    'readOnlineUsers',
    ({ caller }) => {
      if (caller) frameWatch.seenOnDashboard(caller.account.id)
      return onlineCounts()
    },
    ONLINE_RATE,
  )

  endpoint(
    'addCurtainCounts',
    async ({ input, caller, request }) => {
      const sender = { accountId: caller.account.id, address: request.ip }
      if (await mayAdd(CURTAIN_LOOKS, sender, Math.max(1, input.looks))) metrics.curtain(input)
      return { message: VALID }
    },
    CURTAIN_RATE,
  )

  endpoint(
    'addExperience',
    async ({ input, caller: { account, sessionId }, request }) => {
      if (!(await mayAdd(EXPERIENCES, { accountId: account.id, address: request.ip }, 1))) return { message: VALID }
      // The country is that of the login session: a browser cannot name it in the report.
      metrics.experience(input, deps.labels.labelOf(await deps.countries.of(sessionId), account.id))
      return { message: VALID }
    },
    EXPERIENCE_RATE,
  )

  endpoint('readServiceStatus', readStatus, STATUS_RATE)

  logRoute(endpoint, deps)
}

function logRoute(endpoint: UserEndpoint, { clientLogs, logs, clock, mayAdd }: ServiceHttp): void {
  if (clientLogs.length === 0) {
    // Accepts and drops batches: pages that were loaded before client logs were turned off would resend a refused batch.
    endpoint('addLogs', () => VALID, LOG_RATE, listOf(v.unknown(), LOG_BATCH_ENTRIES))
    return
  }

  const isWanted = (entry: LogEntry) => clientLogs.includes(levelOf(entry))
  endpoint(
    'addLogs',
    async ({ input, caller, request }) => {
      const wanted = input.filter(isWanted)
      const sender = { accountId: caller?.account.id ?? null, address: request.ip }
      if (!(await mayAdd(CLIENT_LOGS, sender, wanted.length))) return VALID
      // A batch that is stored already also gets VALID, so that the browser drops it.
      await logs.add(await cleanLogs(wanted), idempotencyKey(request), clock.now())
      return VALID
    },
    LOG_RATE,
  )
}
