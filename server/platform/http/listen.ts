import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { createApp } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { wideProxyNetworks } from '../../config/config-values.ts'
import { loadSecrets } from '../../config/secrets.ts'
import { backUp } from '../../operations/backup.ts'
import { listenForOperatorCommands } from '../../operations/operator-commands.ts'
import type { Tracing } from '../../operations/otlp-tracing.ts'
import { openRecords } from '../database/open-records.ts'
import type { Store } from '../database/open-store.ts'
import type { Clock } from '../rules/clock.ts'

/** How long requests in flight may take to end before their connections are cut. */
const CLOSE_MS = 10_000
/**
 * Connections that may wait to be taken, as far as the system allows. When another server dies, all its people come in one moment, and whoever
 * finds no room tries again only after one second, then three, then seven.
 */
const ARRIVALS = 4_096

const systemClock: Clock = {
  now: Date.now,
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

export type RunningServer = {
  /** Where a browser reaches it. */
  origin: string
  port: number
  /** Lets what is going on end, within 15 s and DRAIN_MS. Safe to call again. */
  stop(): Promise<void>
}

function originsOf(config: Config, port: number): string[] {
  if (config.publicOrigin !== null) return [config.publicOrigin]
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
}

/** What an error tells of its place and kind. A failed check quotes what it checked, and other fields of an error may hold anything. */
function describeError(error: Error & { code?: unknown }): Record<string, unknown> {
  const { name, message, code, stack = '' } = error
  const frames = stack.slice(stack.indexOf('\n    at '))
  return {
    type: name,
    ...(code === undefined ? {} : { code }),
    ...(name === 'ValiError' ? {} : { message }),
    stack: frames,
  }
}

/** No token, cookie or address of a person ever reaches a log line: requests are named by method and path alone. */
function createLog(config: Config, tracing: Tracing | null): Logger {
  return pino({
    level: config.logLevel,
    ...(tracing && { mixin: tracing.ids }),
    redact: ['req.headers', 'res.headers', '*.email', '*.token', '*.accessToken', '*.cookie', '*.authorization'],
    serializers: {
      err: describeError,
      req: (request: { method?: string; url?: string }) => ({
        method: request.method,
        path: request.url?.split('?', 1)[0],
      }),
    },
  })
}

function tracedStore(store: Store, tracing: Tracing | null): Store {
  if (!tracing) return store
  const parts = Object.entries(store).map(([name, part]) => [
    name,
    typeof part === 'object' && part !== null ? tracing.stepsOf(`store ${name}`, part) : part,
  ])
  return { ...store, ...Object.fromEntries(parts) }
}

/** Runs the whole server. `dist` is the folder of the built pages; where it is missing the server has none. */
export async function start(
  config: Config,
  options: { dist: string; clock?: Clock; classifierProgram?: URL; decoderProgram?: URL },
): Promise<RunningServer> {
  const { dist, clock = systemClock, classifierProgram, decoderProgram } = options
  // Loaded only where it is used.
  const tracing = config.tracing && (await import('../../operations/otlp-tracing.ts')).openTracing(config.tracing)
  const log = createLog(config, tracing)
  const store = tracedStore(await openRecords(config, log.child({ part: 'store' })), tracing)
  let port = config.port

  /** A collector that is away must not fail the end of the server. */
  async function stopTracing(): Promise<void> {
    await tracing?.stop().catch((error: unknown) => log.error({ err: error }, 'the last traces could not be sent'))
  }

  async function build() {
    return createApp({
      config,
      secrets: await loadSecrets(config, store.sharedSecrets),
      store,
      clock,
      random: Math.random,
      newId: randomUUID,
      dist: existsSync(join(dist, 'index.html')) ? dist : null,
      ownOrigins: () => originsOf(config, port),
      log,
      ...(tracing && { tracing }),
      ...(classifierProgram && { classifierProgram }),
      ...(decoderProgram && { decoderProgram }),
    })
  }
  const { app, office, drain } = await build().catch(async (error: unknown) => {
    await store.close()
    await stopTracing()
    throw error
  })

  let hangUp = async () => {}

  async function close(): Promise<void> {
    log.info('server draining')
    await hangUp()
    await drain()
    // Whoever still comes is sent elsewhere, until every balancer has noticed.
    await new Promise((resolve) => setTimeout(resolve, config.drainMs))
    const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS)
    await app.close()
    clearTimeout(cut)
    await store.close()
    await stopTracing()
    log.info('server stopped')
  }

  try {
    await app.listen({ host: config.host, port: config.port, backlog: ARRIVALS })
    // Records that are shared can be reached beside the server.
    if (!config.database)
      hangUp = await listenForOperatorCommands(config.dataDir, {
        office,
        audit: store.audit,
        legalHolds: store.legalHolds,
        backUp: (folder) => backUp(store, config.dataDir, folder),
      })
  } catch (error) {
    await close()
    throw error
  }
  const address = app.server.address()
  if (address !== null && typeof address === 'object') port = address.port

  log.info({ host: config.host, port }, 'server listening')
  const wide = typeof config.trustProxy === 'string' ? wideProxyNetworks(config.trustProxy) : []
  if (wide.length > 0)
    log.warn({ wide }, 'TRUST_PROXY is wide: whatever runs there can claim any address. Name the proxies alone')
  let stopping: Promise<void> | undefined
  return {
    origin: originsOf(config, port)[0] ?? '',
    port,
    stop() {
      stopping ??= close()
      return stopping
    },
  }
}
