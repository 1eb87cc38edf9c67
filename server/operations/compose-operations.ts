import type { FastifyInstance } from 'fastify'
import { API_BASE } from '#protocol/constants.ts'
import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { UserEndpointGroup } from '../accounts/http/login.ts'
import type { FrameWatch } from '../frames/rules/frame-watch.ts'
import { keyedDigest } from '../platform/crypto.ts'
import type { Platform } from '../platform/platform.ts'
import { operations } from './http/health-routes.ts'
import { recordRefusals } from './http/refusal-events.ts'
import { serviceRoutes } from './http/service-routes.ts'
import { observeHealth, withHealth } from './observe-health.ts'
import { createMetrics } from './prometheus-metrics.ts'
import { createOperationsRecords } from './records/operations-records.ts'
import { CountryLabels } from './rules/country-labels.ts'
import { createDailyLimits } from './rules/daily-limit.ts'
import type { HubCounts } from './rules/metrics.ts'
import { ServiceHealth } from './rules/service-status.ts'
import type { Sources } from './scraped-metrics.ts'
import { createSecurityLog, withHubRefusals } from './security-log.ts'
import { createSharedHealth, watchStatus } from './watch-status.ts'

/** The numbers that other features provide for Prometheus. */
type OtherSources = Pick<Sources, 'presence' | 'hub' | 'frameCounts' | 'notices'>

/** Writes a line for each request of an endpoint, with the route but without the path or anything that the client sent. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', ({ log, method, routeOptions: { url } }, { statusCode, elapsedTime }, done) => {
    if (url?.startsWith(`${API_BASE}/`))
      log.info({ method, route: url, status: statusCode, ms: Math.round(elapsedTime) }, 'request')
    done()
  })
}

/** Metrics, the security log, browsers' logs, and the endpoints for monitoring. */
export function composeOperations(platform: Platform) {
  const { app, config, secrets, clock, newId, log, database, redis, decoder, jobs, counts } = platform
  const { backlog, countries, logs } = database.records(createOperationsRecords)
  const metrics = createMetrics()
  const health = new ServiceHealth(clock.now())
  const shared = redis && createSharedHealth({ client: redis, newId, clock, log })
  app.addHook('preClose', async () => shared?.leave())
  let isDraining = false
  const security = createSecurityLog({
    log: log.child({ part: 'security' }),
    clock,
    digest: keyedDigest(keyedDigest(secrets.jwt)('security log')),
    counted: metrics.securityEvent,
  })
  app.addHook('onClose', async () => security.stop())

  return {
    metrics: metrics.metrics,
    /** `metrics`, which also write the hub's refusals to the security log and feed the health of the service. */
    hubMetrics: withHubRefusals(withHealth(metrics.metrics, health, clock), security),
    security,

    /** Adds metrics, a log line and security events for every request of the app. */
    observeRequests(): void {
      metrics.observeRequests(app)
      logRequests(app)
      recordRefusals(app, security)
      observeHealth(app, health, clock)
    },

    readMetrics(others: OtherSources): void {
      metrics.read({
        ...others,
        clock,
        callPeople: () => health.callPeople(clock.now()),
        backlog: backlog.read,
        priorityCases: backlog.readPriority,
        dependencies: { database: database.ping, ...(redis && { redis: async () => void (await redis.ping()) }) },
        pictureCounts: decoder.counts,
      })
    },

    /** Serves health and metrics. After `startDraining`, nothing else is served. */
    serveHealth: (): void =>
      operations(app, {
        ping: database.ping,
        draining: () => isDraining,
        registry: metrics.registry,
        metricsToken: config.metricsToken,
        isBehindProxy: config.isBehindProxy,
      }),

    startDraining(): void {
      isDraining = true
    },

    endpoints:
      ({
        hub,
        ...deps
      }: {
        onlineCounts: () => OnlineCounts
        hub: () => HubCounts
        frameWatch: Pick<FrameWatch, 'seenOnDashboard'>
      }): UserEndpointGroup =>
      (endpoint) => {
        const waiting = () => [...hub().queue.values()].reduce((sum, region) => sum + region.waiting, 0)
        const status = watchStatus({ health, clock, log, database, redis, shared, waiting })
        jobs.add(status.routine)
        serviceRoutes(endpoint, {
          clientLogs: config.clientLogs,
          logs,
          countries,
          labels: new CountryLabels(),
          clock,
          metrics: metrics.metrics,
          mayAdd: createDailyLimits(counts),
          readStatus: status.read,
          ...deps,
        })
      },
  }
}
