import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { API_BASE } from '#protocol/constants.ts'
import type { Config } from './config.ts'
import { keyedDigest, tokenTools } from './crypto.ts'
import { createAliasOf } from './domain/alias.ts'
import { createDeletionDesk } from './domain/deletion.ts'
import { createHousekeeping } from './domain/housekeeping.ts'
import { createTakeReport } from './domain/moderation.ts'
import type { Clock, Store } from './domain/ports.ts'
import { createPresence } from './domain/presence.ts'
import { createRefreshTokenIssuer } from './domain/tokens.ts'
import { allowOrigins } from './http/allowed-origins.ts'
import { api } from './http/api.ts'
import type { HttpDeps } from './http/deps.ts'
import { devIdentity } from './http/dev-identity.ts'
import { createJwt } from './http/jwt.ts'
import { operations } from './http/operations.ts'
import { pages } from './http/pages.ts'
import { answerError, answerWithProblems } from './http/problems.ts'
import { createVerifyIdentity } from './http/providers.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { createHub } from './hub/hub.ts'
import { pageConfigOf, withPageConfig } from './page-config.ts'
import type { Secrets } from './secrets.ts'
import { takeFrame } from './vision/frame-intake.ts'
import { reencodePicture } from './vision/profile-picture.ts'

/** Long enough for the largest upload over a slow line. */
const REQUEST_TIMEOUT_MS = 60_000

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
}

export type App = {
  app: FastifyInstance
  /** Answers not ready from now on and sends the hub's clients elsewhere. */
  drain(): Promise<void>
}

/** Where `npm run dev` serves the pages from: its proxy passes the browser's Origin on. */
function developmentOrigins(config: Config): string[] {
  return config.production || config.publicOrigin !== null ? [] : ['http://localhost:5173', 'http://127.0.0.1:5173']
}

/** Below the folder of the build; hidden, so that nobody is sent a page that lacks the configuration. */
const PRERENDERED = '.pages'

async function builtPages(config: Config, dist: string | null) {
  if (dist === null) return null
  const finish = async (file: string) => withPageConfig(await readFile(join(dist, file), 'utf8'), pageConfigOf(config))
  const prerendered = new Map<string, string>()
  // A folder that was built by an earlier version has none.
  const names = existsSync(join(dist, PRERENDERED)) ? await readdir(join(dist, PRERENDERED)) : []
  for (const name of names) {
    prerendered.set(`/${name === 'index.html' ? '' : basename(name, '.html')}`, await finish(join(PRERENDERED, name)))
  }
  return { folder: dist, shell: await finish('index.html'), prerendered }
}

/** Builds the whole server around its store. Never listens. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, secrets, store, clock, random, newId, ownOrigins, log } = deps
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Refused by our own problem document instead.
    return503OnClosing: false,
    trustProxy: config.trustProxy,
    frameworkErrors: answerError,
  })
  let draining = false

  const secure = config.publicOrigin?.startsWith('https:') ?? false
  const others = [...config.allowedOrigins, ...developmentOrigins(config)]
  const originAllowed = (origin: string | undefined) =>
    origin !== undefined && (ownOrigins().includes(origin) || others.includes(origin))
  const jwt = createJwt(secrets.jwt, clock)
  const aliasOf = createAliasOf(keyedDigest(secrets.alias))
  const presence = createPresence(clock)
  const { accounts, relations, reports, liveSessions } = store

  const hub = createHub({
    clock,
    random,
    newId,
    readHubToken: jwt.readHubToken,
    accounts,
    relations,
    liveSessions,
    takeReport: createTakeReport({ accounts, relations, reports, clock, policy: config.moderation }),
    aliasOf,
    presence,
    originAllowed,
    matchTimeoutMs: config.matchTimeoutMs,
    relaxAfterMs: config.relaxAfterMs,
    log: log.child({ part: 'hub' }),
  })

  const deletionDesk = createDeletionDesk({
    deletions: store.deletions,
    accounts,
    clock,
    delayDays: config.deletionDelayDays,
    disconnect: hub.disconnect,
    beforeErasure: [],
  })
  const housekeepingLog = log.child({ part: 'housekeeping' })
  const housekeeping = createHousekeeping({
    clock,
    everyMs: config.housekeepingMs,
    desk: deletionDesk,
    expiry: store.expiry,
    reportWindowDays: config.moderation.windowDays,
    hooks: [],
    done: (removed) => housekeepingLog.info({ removed }, 'removed what was to go'),
    fault: (what, error) => housekeepingLog.error({ err: error }, `${what} failed`),
  })

  const http: HttpDeps = {
    settings: {
      secureCookies: secure,
      ipLookup: config.ipLookup,
      turn: config.turn,
      stunUrl: config.stunUrl,
      facebookSecret: config.providers.facebook?.appSecret ?? null,
      publicOrigin: () => ownOrigins()[0] ?? '',
    },
    store,
    clock,
    newId,
    jwt,
    refreshTokens: createRefreshTokenIssuer({ refreshTokens: store.refreshTokens, tools: tokenTools, clock, newId }),
    verifyIdentity: createVerifyIdentity(config.providers, jwt),
    aliasOf,
    presence,
    originAllowed,
    disconnect: hub.disconnect,
    deletionDesk,
    takeFrame,
    reencodePicture,
    log: log.child({ part: 'http' }),
  }

  answerWithProblems(app)
  addSecurityHeaders(app, { providers: config.providers, secure, origins: ownOrigins })
  await allowOrigins(app, config.allowedOrigins)
  operations(app, { store, presence, draining: () => draining })
  hub.register(app)
  await app.register(api, { prefix: API_BASE, deps: http })
  if (config.providers.development) await app.register(devIdentity, http)
  await pages(app, await builtPages(config, deps.dist))

  app.addHook('onReady', async () => housekeeping.start())
  app.addHook('onClose', () => housekeeping.stop())

  return {
    app,
    drain() {
      draining = true
      return hub.drain()
    },
  }
}
