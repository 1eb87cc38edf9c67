import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { API_BASE, HUB_PATH, HUB_RESUME_MS, PRODUCT_NAME } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { devIdentity } from './accounts/http/dev-identity.ts'
import { createJwt } from './accounts/http/jwt.ts'
import { createVerifyIdentity } from './accounts/http/providers.ts'
import { createReencodePicture } from './accounts/profile-picture.ts'
import { createAliasOf } from './accounts/rules/alias.ts'
import { createEndLogin, isLive } from './accounts/rules/login.ts'
import { createRefreshTokenIssuer } from './accounts/rules/tokens.ts'
import { redisCa } from './config/certificates.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { createConsole } from './console/compose-console.ts'
import { consoleApi } from './console/http/console-api.ts'
import type { ModeratorOffice } from './console/rules/moderator-accounts.ts'
import { FleetRouter } from './fleet/fleet-router.ts'
import { RedisFleet } from './fleet/redis-fleet.ts'
import { watchFrames } from './frames/compose-frames.ts'
import { createFrameIntake } from './frames/frame-intake.ts'
import { createHub } from './hub/hub.ts'
import { LocalRouter } from './hub/local-router.ts'
import { createPresence } from './hub/rules/presence.ts'
import { sharePresence } from './hub/shared-presence.ts'
import { MatchQueue } from './matching/rules/match-queue.ts'
import { Meetings, meetingRules } from './matching/rules/meetings.ts'
import { createEmailSender } from './moderation/rules/email-outbox.ts'
import { createModeration } from './moderation/rules/moderation.ts'
import { flagWindowMs } from './moderation/rules/policy.ts'
import { operations } from './operations/http/health-routes.ts'
import { hubRefusalOf, recordRefusals } from './operations/http/refusal-events.ts'
import type { Tracing } from './operations/otlp-tracing.ts'
import { createMetrics } from './operations/prometheus-metrics.ts'
import { createSecurityLog, withHubRefusals } from './operations/security-log.ts'
import { createMemory } from './platform/compose-memory.ts'
import { keyedDigest, tokenTools } from './platform/crypto.ts'
import type { Store } from './platform/database/open-store.ts'
import { createSmtpEmail } from './platform/email/smtp-email.ts'
import { limitFloods } from './platform/http/address-rate-limit.ts'
import { allowOrigins } from './platform/http/allowed-origins.ts'
import { api } from './platform/http/api.ts'
import { builtPages } from './platform/http/built-pages.ts'
import { addressKey, clientAddress, createIsProxy } from './platform/http/client-address.ts'
import type { HttpDeps } from './platform/http/deps.ts'
import { pages } from './platform/http/pages.ts'
import { answerParserError } from './platform/http/parser-errors.ts'
import { limitPipelining } from './platform/http/pipelining.ts'
import { answerError, answerWithProblems } from './platform/http/problems.ts'
import { OwnRepeats } from './platform/http/repeats.ts'
import { nameRequests } from './platform/http/request-ids.ts'
import { addSecurityHeaders } from './platform/http/security-headers.ts'
import { createSharedRepeats } from './platform/http/shared-repeats.ts'
import { limitUploads } from './platform/http/uploads.ts'
import { wellKnown } from './platform/http/well-known.ts'
import { createDecoderPool } from './platform/pictures/decoder-pool.ts'
import { openRedis } from './platform/redis/redis-cluster.ts'
import { AddressLimits } from './platform/rules/address-limits.ts'
import type { Clock } from './platform/rules/clock.ts'
import { createRoutine, type Routine, type Stopping } from './platform/rules/routine.ts'
import { createDeletionService } from './privacy/rules/deletion.ts'
import { createHousekeeping } from './privacy/rules/housekeeping.ts'
import { retention } from './privacy/rules/retention.ts'

/** Long enough for the largest upload over a slow line. */
const REQUEST_TIMEOUT_MS = 60_000
/** Headers are small; who sends them byte by byte only wants to hold a connection. */
const HEADERS_TIMEOUT_MS = 15_000
/** How often connections are looked at that are over their time. */
const CONNECTIONS_CHECK_MS = 5_000
/** Above what proxies and balancers keep a quiet connection for, or they would use one that is being closed. */
const KEEP_ALIVE_MS = 72_000
const HEADER_BYTES = 16 * 1024
/** Of requests that no table of calls describes: they are read before anybody knows whether they are answered at all. */
const BODY_BYTES = 16 * 1024
/** A connection on which nothing moves while a request is under way, as that of a client which does not read its answer. */
const STILL_MS = 90_000

export type AppDeps = {
  config: Config
  secrets: Secrets
  store: Store
  clock: Clock
  random: () => number
  newId: () => string
  /** The folder of the built pages, null where there are none. */
  dist: string | null
  /** This server's own origins; asked once it listens. */
  ownOrigins: () => string[]
  log: FastifyBaseLogger
  /** Where requests and the hub's work are traced, if anywhere. */
  tracing?: Tracing
  /** The program that classifies frames, where it is not the one with the model. */
  classifierProgram?: URL
  /** The program that decodes pictures, where it is not the one with the image library. */
  decoderProgram?: URL
}

export type App = {
  app: FastifyInstance
  /** What the operator does with moderators' accounts. */
  office: ModeratorOffice
  /** Answers not ready from now on and sends the hub's clients elsewhere. */
  drain(): Promise<void>
}

/** Where `npm run dev` serves the pages from: its proxy passes the browser's Origin on. */
function developmentOrigins(config: Config): string[] {
  return config.production || config.publicOrigin !== null ? [] : ['http://localhost:5173', 'http://127.0.0.1:5173']
}

/** How late a deadline of moderation may be kept, and a letter be sent. */
const UPKEEP_MS = 60_000
const MAIL_MS = 30_000
/** After a fault either comes again this soon. */
const JOB_RETRY_MS = 10_000

/** On their lowest levels the framework and its plugins write down whole requests, cookies included. */
function frameworkLog(log: FastifyBaseLogger, { logLevel }: Config): FastifyBaseLogger {
  return logLevel === 'trace' || logLevel === 'debug' ? log.child({}, { level: 'info' }) : log
}

/** All people are in one, in a line of each region. */
const POOL = 'world'

/** Builds the whole server around its store. Never listens. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, secrets, store, clock, random, newId, ownOrigins, log } = deps
  const app = fastify({
    loggerInstance: frameworkLog(log, config),
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodyLimit: BODY_BYTES,
    connectionTimeout: STILL_MS,
    genReqId: newId,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    },
    clientErrorHandler: answerParserError,
    // Refused by our own problem document instead.
    return503OnClosing: false,
    trustProxy: config.trustProxy,
    frameworkErrors: answerError,
  })
  limitPipelining(app)
  let draining = false

  const secure = config.publicOrigin?.startsWith('https:') ?? false
  const others = [...config.allowedOrigins, ...developmentOrigins(config)]
  const originAllowed = (origin: string | undefined) =>
    origin !== undefined && (ownOrigins().includes(origin) || others.includes(origin))
  const jwt = createJwt(secrets.jwt, clock)
  const aliasOf = createAliasOf(keyedDigest(secrets.alias))
  const redis = config.redisUrls && (await openRedis(config.redisUrls, log.child({ part: 'redis' }), redisCa(config)))
  app.addHook('onClose', async () => redis?.destroy())
  const seenHere = createPresence(clock)
  const presence = redis ? sharePresence(app, { client: redis, local: seenHere, clock, log }) : seenHere
  const { counts, frameMemory } = createMemory(redis, deps)
  const metrics = createMetrics()
  const security = createSecurityLog({
    log: log.child({ part: 'security' }),
    clock,
    digest: keyedDigest(keyedDigest(secrets.jwt)('security log')),
    counted: metrics.securityEvent,
  })
  app.addHook('onClose', async () => security.stop())
  const { accounts, relations, reports, cases, findings, risks, keptCases, matchRecords } = store

  const policy = createModeration({
    accounts,
    relations,
    reports,
    cases,
    findings,
    risks,
    keptCases,
    clock,
    policy: config.moderation,
    // A key of its own, so that what it makes can be compared with nothing else.
    digest: keyedDigest(keyedDigest(secrets.alias)('moderation')),
    shutOut(accountId) {
      security.record({ event: 'account-suspended', account: accountId })
      hub.disconnect(accountId)
    },
    mails: config.smtpUrl !== null,
  })

  const decoder = createDecoderPool({
    clock,
    log: log.child({ part: 'pictures' }),
    ...(deps.decoderProgram && { program: deps.decoderProgram }),
  })
  const intake = createFrameIntake(decoder)
  const frames = watchFrames({
    ...deps,
    intake,
    memory: frameMemory,
    flagged(accountId, finding) {
      security.record({ event: 'frame-flagged', account: accountId })
      return policy.flagged(accountId, finding)
    },
  })
  const moderation = frames.withEvidence(policy)

  const perMinute = config.addressRequestsPerMinute
  const limits = new AddressLimits({ perSecond: perMinute / 60, burst: perMinute })
  const isProxy = createIsProxy(config.trustProxy)

  const { relaxAfterMs, spillAfterMs } = config
  const queue = { random, relaxAfterMs, spillAfterMs, keepMs: HUB_RESUME_MS }
  const fleetLog = log.child({ part: 'fleet' })
  const router = redis
    ? new FleetRouter({
        fleet: new RedisFleet({ client: redis, pool: POOL, matchRecords, queue, clock, newId, log: fleetLog }),
        clock,
        log: fleetLog,
      })
    : new LocalRouter({ queue: new MatchQueue(queue), matchRecords })

  const hub = createHub({
    clock,
    newId,
    router,
    readHubToken: async (token) => {
      const login = await jwt.readHubToken(token)
      return login && (await isLive(store.loginSessions, login, clock.now())) ? login : null
    },
    accounts,
    relations,
    takeReport: moderation.takeReport,
    judge: moderation.judge,
    aliasOf,
    presence: {
      count: () => presence.count(),
      seen(accountId) {
        presence.seen(accountId)
        frames.watch.heardOnHub(accountId)
      },
    },
    originAllowed,
    mayConnect: (request) => limits.allows(addressKey(clientAddress(request, isProxy)), clock.now()),
    socketRefused(request, status) {
      const event = hubRefusalOf(status)
      if (event)
        security.record({
          event,
          address: clientAddress(request, isProxy),
          route: `GET ${HUB_PATH}`,
          code: `${status}`,
        })
    },
    matchTimeoutMs: config.matchTimeoutMs,
    region: config.region,
    meetings: new Meetings(counts, meetingRules(config.nextWaitSeconds, config.matchTimeoutMs)),
    metrics: withHubRefusals(metrics.metrics, security),
    ...(deps.tracing && { trace: deps.tracing.trace }),
    log: log.child({ part: 'hub' }),
  })

  const deletionService = createDeletionService({
    deletions: store.deletions,
    accounts,
    clock,
    delayDays: config.deletionDelayDays,
    disconnect: hub.disconnect,
    beforeErasure: [moderation.remember],
  })
  const housekeepingLog = log.child({ part: 'housekeeping' })
  const housekeeping = createHousekeeping({
    clock,
    everyMs: config.housekeepingMs,
    desk: deletionService,
    expiry: store.expiry,
    countedMs: {
      reports: config.moderation.windowDays * DAY_MS,
      findings: flagWindowMs(config.moderation),
    },
    hooks: [
      { ...retention.evidence, expire: store.evidence.expire },
      { ...retention['frame-signals'], expire: store.signals.expire },
    ],
    done: (removed) => housekeepingLog.info({ removed }, 'removed what was to go'),
    fault: (what, error) => housekeepingLog.error({ err: error }, `${what} failed`),
  })

  const endLogin = createEndLogin({ loginSessions: store.loginSessions, endOnHub: hub.logOut })

  const http: HttpDeps = {
    settings: {
      secureCookies: secure,
      ipLookup: config.ipLookup,
      turn: config.turn,
      stunUrl: config.stunUrl,
      facebookSecret: config.providers.facebook?.appSecret ?? null,
      publicOrigin: () => ownOrigins()[0] ?? '',
      clientLogs: config.clientLogs,
    },
    store,
    clock,
    counts,
    newId,
    jwt,
    refreshTokens: createRefreshTokenIssuer({
      ...store,
      endLogin,
      tools: tokenTools,
      clock,
      newId,
      reused: (account) => security.record({ event: 'refresh-token-reused', account }),
    }),
    repeats: config.database
      ? createSharedRepeats({ records: store.repeats, clock, newId, log })
      : new OwnRepeats(clock.now),
    signature: keyedDigest(secrets.jwt),
    verifyIdentity: createVerifyIdentity(config.providers, jwt, clock.now),
    aliasOf,
    presence,
    originAllowed,
    moderation,
    endLogin,
    deletionService,
    takeFrame: frames.take,
    viewFrame: frames.view,
    frameLog: frames.frameLog,
    frameWatch: frames.watch,
    keepUpload: frames.evidence.takeUpload,
    reencodePicture: createReencodePicture(decoder),
    metrics: metrics.metrics,
    log: log.child({ part: 'http' }),
  }

  const console = createConsole(
    { store, secrets, clock, newId, counts, moderation, evidence: frames.evidence, policy: config.moderation },
    { secureCookies: secure, originAllowed },
  )

  answerWithProblems(app)
  deps.tracing?.watch(app)
  nameRequests(app)
  metrics.watch(app)
  recordRefusals(app, security)
  metrics.read({
    clock,
    presence,
    hub: hub.counts,
    backlog: store.backlog.read,
    dependencies: { database: store.ping, ...(redis && { redis: async () => void (await redis.ping()) }) },
    frameCounts: frames.counts,
    pictureCounts: decoder.counts,
  })
  const hubOrigins = config.hubs.map(({ origin }) => origin)
  addSecurityHeaders(app, { providers: config.providers, secure, origins: ownOrigins, hubOrigins })
  limitFloods(app, { limits, clock, isProxy, connectionsPerAddress: config.connectionsPerAddress })
  limitUploads(app, { clock, isProxy })
  await allowOrigins(app, config.allowedOrigins)
  operations(app, {
    store,
    draining: () => draining,
    registry: metrics.registry,
    metricsToken: config.metricsToken,
    isBehindProxy: config.isBehindProxy,
  })
  app.addHook('onReady', () => frames.evidence.sweep())
  app.addHook('onClose', async () => {
    await frames.stop()
    await decoder.stop()
  })
  hub.register(app)
  const job = (what: string, everyMs: number, task: (stopping: Stopping) => Promise<void>) =>
    createRoutine({
      clock,
      firstMs: 0,
      everyMs,
      retryMs: JOB_RETRY_MS,
      task: (stopping) => task(stopping).then(() => true),
      fault: (error) => log.error({ err: error }, `${what} failed`),
    })
  const jobs: Routine[] = [housekeeping, job('the upkeep of moderation', UPKEEP_MS, () => moderation.keepUp())]
  if (config.database) jobs.push(job('forgetting of repeats', UPKEEP_MS, () => store.repeats.forget(clock.now())))
  if (config.smtpUrl !== null) {
    const mail = createSmtpEmail(config.smtpUrl, { name: PRODUCT_NAME, address: config.contactEmail })
    const carry = createEmailSender({ ...store, mail, clock, origin: () => ownOrigins()[0] ?? '' })
    jobs.push(job('the post', MAIL_MS, carry))
  }
  app.addHook('onReady', async () => {
    for (const { start } of jobs) start()
  })
  app.addHook('preClose', async () => void (await Promise.all(jobs.map(({ stop }) => stop()))))
  await app.register(api, { prefix: API_BASE, deps: http })
  await app.register(consoleApi, { prefix: API_BASE, deps: console.routes })
  if (config.providers.development) await app.register(devIdentity, http)
  wellKnown(app, config.androidApp)
  await pages(app, await builtPages(config, deps.dist), { sourceMaps: config.sourceMaps })

  return {
    app,
    office: console.office,
    drain() {
      draining = true
      return hub.drain()
    },
  }
}
