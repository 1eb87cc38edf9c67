import type { FastifyInstance } from 'fastify'
import { composeAccounts } from './accounts/compose-accounts.ts'
import { composeConsole } from './console/compose-console.ts'
import type { DeriveKey } from './console/moderator-tools.ts'
import { composeFrames } from './frames/compose-frames.ts'
import { composeHub, composeLocalRouter, composePresence } from './hub/compose-hub.ts'
import { composeActivity, composeMatching } from './matching/compose-matching.ts'
import { composeModeration } from './moderation/compose-moderation.ts'
import { composeNotices } from './notices/compose-notices.ts'
import { composeOperations } from './operations/compose-operations.ts'
import type { OperatorCommandDeps } from './operations/operator-commands.ts'
import type { Tracing } from './operations/otlp-tracing.ts'
import { builtPages } from './platform/http/built-pages.ts'
import { createHttpServer } from './platform/http/create-http-server.ts'
import { pages, wellKnown } from './platform/http/pages.ts'
import { sendErrorsAsProblems } from './platform/http/problems.ts'
import { protectRequests } from './platform/http/protect-requests.ts'
import { composePlatform, type Platform, type PlatformDeps } from './platform/platform.ts'
import { composePrivacy } from './privacy/compose-privacy.ts'
import { composeTransparency } from './transparency/compose-transparency.ts'
import { composeWords } from './words/compose-words.ts'

export type AppDeps = PlatformDeps & {
  /** The folder of the built pages; null if there are none. */
  dist: string | null
  /** Traces requests and the hub's work; without it nothing is traced. */
  tracing?: Tracing
  /** The program that classifies frames, instead of the program with the model. */
  classifierProgram?: URL
  /** Computes keys of moderators' passwords, instead of the costly function. */
  deriveKey?: DeriveKey
}

export type App = {
  app: FastifyInstance
  /** What the operator's commands use. */
  operator: Omit<OperatorCommandDeps, 'backUp'>
  /** Fails the readiness check from now on and closes the hub's connections, so that their clients reconnect elsewhere. */
  drain(): Promise<void>
}

/** Composes the features; each feature may use the features before it. */
async function composeFeatures(platform: Platform, { tracing, classifierProgram, deriveKey }: AppDeps) {
  const presence = await composePresence(platform)
  const activity = await composeActivity(platform)
  const operations = composeOperations(platform)
  const { security } = operations
  const { words, refusedWords } = composeWords(platform)
  const accounts = composeAccounts(platform, {
    endOnHub: (login) => hub.logOut(login),
    forgetElsewhere: (account) => hub.forgetLoginsElsewhere(account),
    hearsOthers: () => hub.hearsOthers(),
    security,
    seen: (account) => presence.seen(account),
    words,
  })
  const matching = composeMatching(platform)
  const moderation = await composeModeration(platform, {
    ...accounts,
    ...matching,
    security,
    disconnect: (account) => hub.disconnect(account),
    statusChanged(account) {
      accounts.forgetLogins(account)
      hub.forgetLoginsElsewhere(account)
    },
  })
  const frames = composeFrames(platform, {
    evidence: moderation.evidence,
    recordFinding: moderation.rules.recordFinding,
    security,
    classifierProgram,
  })
  const hub = composeHub(platform, {
    ...accounts,
    ...matching,
    words,
    recordReport: moderation.rules.recordReport,
    judge: moderation.rules.judge,
    router: platform.redis
      ? (await import('./fleet/compose-fleet-router.ts')).composeFleetRouter(platform, platform.redis, matching)
      : composeLocalRouter(matching),
    presence,
    activity,
    seen: frames.watch.seenOnHub,
    security,
    metrics: operations.hubMetrics,
    trace: tracing?.trace,
    traceId: () => tracing?.ids().traceId,
  })
  const privacy = composePrivacy(platform, {
    ...accounts,
    moderation: moderation.rules,
    evidence: moderation.records.evidence,
    signals: frames.signals,
    disconnect: hub.disconnect,
  })
  const notices = await composeNotices(platform)
  const console = composeConsole(platform, {
    moderation: moderation.rules,
    profiles: accounts.profiles,
    evidence: moderation.evidence,
    contentNotices: notices.records,
    refusedWords,
    suggest: accounts.suggest,
    records: { ...moderation.records, signals: frames.signals },
    deriveKey,
  })
  const transparency = composeTransparency(platform)
  return { accounts, console, frames, hub, matching, moderation, notices, operations, presence, privacy, transparency }
}
type Features = Awaited<ReturnType<typeof composeFeatures>>

/** Adds the endpoints of the features, and the hooks, which run in the order in which they are added. */
async function serve(platform: Platform, features: Features, { dist, tracing }: AppDeps): Promise<void> {
  const { app, config, jobs } = platform
  const { accounts, frames, hub, moderation, notices, operations, presence, privacy } = features
  const onlineCounts = () => ({ onlineUsers: presence.count(), talkingUsers: hub.activity().talking })
  sendErrorsAsProblems(app)
  tracing?.traceRequests(app)
  // The id of the request in the log, so that an operator can find the request that a user reports.
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  operations.observeRequests()
  operations.readMetrics({ presence, hub: hub.counts, frameCounts: frames.counts, notices: notices.counts })
  const built = await builtPages(config, dist)
  await protectRequests(platform, built?.inlineScripts ?? [])
  operations.serveHealth()
  hub.serve()
  app.addHook('onReady', async () => jobs.start())
  app.addHook('preClose', () => jobs.stop())
  await accounts.serve([
    accounts.endpoints({
      deletions: privacy.deletions,
      moderation: moderation.rules,
      partnerIn: features.matching.partners.partnerIn,
      checkPicture: frames.checkPicture,
      start: { blockState: moderation.blockState, deletionWait: privacy.deletionWait, onlineCounts },
    }),
    moderation.endpoints,
    frames.endpoints(onlineCounts),
    hub.endpoints(privacy.deletions),
    operations.endpoints({ onlineCounts, hub: hub.counts, frameWatch: frames.watch }),
    privacy.endpoints,
    features.transparency.endpoints,
    notices.endpoints,
  ])
  await features.console.serve()
  await accounts.serveDevelopmentIdentity()
  wellKnown(app, config.androidApp)
  await pages(app, built, { sourceMaps: config.sourceMaps, hasLogin: accounts.cookies.hasLogin })
}

/** Builds the whole server. Never listens. */
export async function createApp(deps: AppDeps): Promise<App> {
  const app = createHttpServer(deps)
  const platform = await composePlatform(app, deps)
  const features = await composeFeatures(platform, deps)
  await serve(platform, features, deps)
  const { console, hub, operations, privacy, transparency } = features
  return {
    app,
    operator: {
      moderatorAccounts: console.moderatorAccounts,
      audit: console.audit,
      legalHolds: privacy.legalHolds,
      transparency: transparency.records,
    },
    drain() {
      operations.startDraining()
      return hub.drain()
    },
  }
}
