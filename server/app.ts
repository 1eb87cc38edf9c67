import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { API_BASE, PRODUCT_NAME } from '#protocol/constants.ts'
import { type Language, languages } from '#protocol/languages.ts'
import type { Config } from './config.ts'
import { keyedDigest, tokenTools } from './crypto.ts'
import { createAliasOf } from './domain/alias.ts'
import { createEndLogin, isLive } from './domain/login.ts'
import { createModeration } from './domain/moderation/moderation.ts'
import { createPostman } from './domain/moderation/postman.ts'
import type { Clock, Store } from './domain/ports.ts'
import { createPresence } from './domain/presence.ts'
import { createRefreshTokenIssuer } from './domain/tokens.ts'
import { allowOrigins } from './http/allowed-origins.ts'
import { api } from './http/api.ts'
import type { HttpDeps } from './http/deps.ts'
import { devIdentity } from './http/dev-identity.ts'
import { createJwt } from './http/jwt.ts'
import { operations } from './http/operations.ts'
import { type Drawn, pages } from './http/pages.ts'
import { answerError, answerWithProblems } from './http/problems.ts'
import { createVerifyIdentity } from './http/providers.ts'
import { nameRequests } from './http/request-ids.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { wellKnown } from './http/well-known.ts'
import { createHub } from './hub/hub.ts'
import { createSmtpMail } from './mail/smtp-mail.ts'
import { createMetrics } from './metrics.ts'
import type { Tracing } from './otlp-tracing.ts'
import { pageConfigOf, withPageConfig } from './page-config.ts'
import { periodically } from './periodic.ts'
import type { Secrets } from './secrets.ts'
import { takeFrame } from './vision/frame-intake.ts'
import { reencodePicture } from './vision/profile-picture.ts'
import { watchFrames } from './watch-frames.ts'

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
  /** Where requests and the hub's work are traced, if anywhere. */
  tracing?: Tracing
  /** The program that classifies frames, where it is not the one with the model. */
  classifierProgram?: URL
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

/** How late a deadline of moderation may be kept, and a letter be sent. */
const UPKEEP_MS = 60_000
const MAIL_MS = 30_000

/** Below the folder of the build, a folder a language; hidden, so that nobody is sent a page that lacks the configuration. */
const PRERENDERED = '.pages'
/** Among them: what every path gets that is not drawn ahead. */
const SHELL = 'shell.html'

async function builtPages(config: Config, dist: string | null) {
  if (dist === null) return null
  const pageConfig = pageConfigOf(config)

  async function drawnIn(language: Language): Promise<[Language, Drawn]> {
    const folder = join(dist ?? '', PRERENDERED, language)
    const finish = async (name: string) => withPageConfig(await readFile(join(folder, name), 'utf8'), pageConfig)
    const names = (await readdir(folder)).filter((name) => name !== SHELL)
    const prerendered = new Map<string, string>()
    for (const name of names) {
      prerendered.set(`/${name === 'index.html' ? '' : basename(name, '.html')}`, await finish(name))
    }
    return [language, { shell: await finish(SHELL), prerendered }]
  }

  // A folder that was built by an earlier version has none of them.
  const built = languages.filter((language) => existsSync(join(dist, PRERENDERED, language, SHELL)))
  return built.length === 0 ? null : { folder: dist, drawn: new Map(await Promise.all(built.map(drawnIn))) }
}

/** Builds the whole server around its store. Never listens. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, secrets, store, clock, random, newId, ownOrigins, log } = deps
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: newId,
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
  const metrics = createMetrics()
  const { accounts, relations, reports, cases, findings, risks, liveSessions } = store

  const policy = createModeration({
    accounts,
    relations,
    reports,
    cases,
    findings,
    risks,
    clock,
    policy: config.moderation,
    // A key of its own, so that what it makes can be compared with nothing else.
    digest: keyedDigest(keyedDigest(secrets.alias)('moderation')),
    shutOut: (accountId) => hub.disconnect(accountId),
    mails: config.smtpUrl !== null,
  })

  const frames = watchFrames({ ...deps, flagged: policy.flagged })
  const moderation = frames.withEvidence(policy)

  const hub = createHub({
    clock,
    random,
    newId,
    readHubToken: async (token) => {
      const login = await jwt.readHubToken(token)
      return login && (await isLive(store.sessions, login)) ? login : null
    },
    accounts,
    relations,
    liveSessions,
    takeReport: moderation.takeReport,
    judge: moderation.judge,
    aliasOf,
    presence: {
      ...presence,
      seen(accountId) {
        presence.seen(accountId)
        frames.watch.heardOnHub(accountId)
      },
    },
    originAllowed,
    matchTimeoutMs: config.matchTimeoutMs,
    relaxAfterMs: config.relaxAfterMs,
    figures: metrics.figures,
    ...(deps.tracing && { trace: deps.tracing.trace }),
    log: log.child({ part: 'hub' }),
  })

  const http: HttpDeps = {
    settings: { secureCookies: secure, ipLookup: config.ipLookup, turn: config.turn, stunUrl: config.stunUrl },
    store,
    clock,
    newId,
    jwt,
    refreshTokens: createRefreshTokenIssuer({ refreshTokens: store.refreshTokens, tools: tokenTools, clock, newId }),
    verifyIdentity: createVerifyIdentity(config.providers, jwt),
    aliasOf,
    presence,
    originAllowed,
    moderation,
    endLogin: createEndLogin({ ...store, endOnHub: hub.logOut }),
    takeFrame,
    frameWatch: frames.watch,
    keepUpload: frames.evidence.takeUpload,
    reencodePicture,
    figures: metrics.figures,
    log: log.child({ part: 'http' }),
  }

  answerWithProblems(app)
  deps.tracing?.watch(app)
  nameRequests(app)
  metrics.watch(app)
  metrics.read({ clock, presence, hub: hub.counts, backlog: store.backlog, frameCounts: frames.counts })
  addSecurityHeaders(app, { providers: config.providers, secure, origins: ownOrigins })
  await allowOrigins(app, config.allowedOrigins)
  operations(app, { store, draining: () => draining, registry: metrics.registry })
  app.addHook('onReady', () => frames.evidence.sweep())
  app.addHook('onClose', () => frames.stop())
  hub.register(app)
  const jobs: (() => Promise<void>)[] = []
  app.addHook('onReady', async () => {
    const task = () => moderation.keepUp()
    jobs.push(periodically(clock, log, { what: 'the upkeep of moderation', everyMs: UPKEEP_MS, task }))
    if (config.smtpUrl === null) return
    const mail = createSmtpMail(config.smtpUrl, { name: PRODUCT_NAME, address: config.contactEmail })
    const carry = createPostman({ ...store, mail, clock, origin: () => ownOrigins()[0] ?? '' })
    jobs.push(periodically(clock, log, { what: 'the post', everyMs: MAIL_MS, task: carry }))
  })
  app.addHook('preClose', async () => void (await Promise.all(jobs.map((stop) => stop()))))
  await app.register(api, { prefix: API_BASE, deps: http })
  if (config.providers.development) await app.register(devIdentity, http)
  wellKnown(app, config.androidApp)
  await pages(app, await builtPages(config, deps.dist))

  return {
    app,
    drain() {
      draining = true
      return hub.drain()
    },
  }
}
