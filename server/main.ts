import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AppDeps, createApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config/config.ts'
import { wideProxyNetworks } from './config/config-values.ts'
import { loadSecrets } from './config/secrets.ts'
import { backUp } from './operations/backup.ts'
import { listenForOperatorCommands } from './operations/operator-commands.ts'
import type { Tracing } from './operations/otlp-tracing.ts'
import { createPlatformRecords } from './platform/database/platform-records.ts'
import { openConfiguredDatabase, type RecordsDatabase } from './platform/database/records-database.ts'
import { StoreError } from './platform/database/store-error.ts'
import type { Clock } from './platform/rules/clock.ts'
import { createServerLog } from './platform/server-log.ts'
import { systemClock } from './platform/system-clock.ts'

/** Time that requests in flight have to end before their connections are cut. */
const CLOSE_MS = 10_000
/** Time, after DRAIN_MS, in which the process ends in any case: an operator's tools do not wait longer. */
const STOP_MS = 15_000
/**
 * Connections that may wait to be accepted, as far as the system allows. When another server dies, all its users
 * connect to this server at once, and a refused client retries only after one second, then three, then seven.
 */
const BACKLOG = 4_096
const dist = join(import.meta.dirname, '..', 'dist')

export type RunningServer = {
  /** The origin at which a browser reaches the server. */
  origin: string
  port: number
  /** Lets requests in flight end, within 15 s and DRAIN_MS. May be called more than once. */
  stop(): Promise<void>
}

type StartOptions = Pick<AppDeps, 'classifierProgram' | 'decoderProgram' | 'deriveKey'> & {
  dist: string
  clock?: Clock
}

function originsOf(config: Config, port: number): string[] {
  if (config.publicOrigin !== null) return [config.publicOrigin]
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
}

/** Returns the database with records whose methods are traced. */
function tracedDatabase(database: RecordsDatabase, { traceMethods }: Tracing): RecordsDatabase {
  return {
    ...database,
    records<R extends Record<string, object>>(create: Parameters<typeof database.records<R>>[0]): R {
      const records = Object.entries(database.records(create))
      return Object.fromEntries(records.map(([name, part]) => [name, traceMethods(`store ${name}`, part)])) as R
    },
  }
}

/** Runs the whole server. `dist` is the folder of the built pages; if the folder is missing, the server has no pages. */
export async function start(config: Config, options: StartOptions): Promise<RunningServer> {
  const { dist, clock = systemClock, ...programs } = options
  // Loaded only if tracing is configured.
  const tracing = config.tracing && (await import('./operations/otlp-tracing.ts')).openTracing(config.tracing)
  const log = createServerLog(config, tracing?.ids)
  const opened = await openConfiguredDatabase(config, log.child({ part: 'store' }))
  const database = tracing ? tracedDatabase(opened, tracing) : opened
  const { sharedSecrets } = database.records(createPlatformRecords)
  let port = config.port

  /** Never rejects: the server must end without a fault even if the collector is away. */
  async function stopTracing(): Promise<void> {
    await tracing?.stop().catch((error: unknown) => log.error({ err: error }, 'tracing: the last traces were not sent'))
  }

  async function build() {
    return createApp({
      config,
      secrets: await loadSecrets(config, sharedSecrets),
      database,
      clock,
      random: Math.random,
      newId: randomUUID,
      dist: existsSync(join(dist, 'index.html')) ? dist : null,
      ownOrigins: () => originsOf(config, port),
      log,
      ...(tracing && { tracing }),
      ...programs,
    })
  }
  const { app, operator, drain } = await build().catch(async (error: unknown) => {
    await database.close()
    await stopTracing()
    throw error
  })

  let stopOperatorCommands = async () => {}

  async function close(): Promise<void> {
    log.info('server draining')
    await stopOperatorCommands()
    await drain()
    // Requests that still come are refused until every balancer has noticed.
    await new Promise((resolve) => setTimeout(resolve, config.drainMs))
    const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS)
    await app.close()
    clearTimeout(cut)
    await database.close()
    await stopTracing()
    log.info('server stopped')
  }

  try {
    await app.listen({ host: config.host, port: config.port, backlog: BACKLOG })
    // With a shared database, operator commands reach the records without the server.
    if (!config.database)
      stopOperatorCommands = await listenForOperatorCommands(config.dataDir, {
        ...operator,
        backUp: (folder) => backUp(database, config.dataDir, folder),
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

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(error: unknown): never {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exit(1)
}

/** Returns one line for an error that the operator can mend, otherwise the whole error. */
function reasonOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StoreError) return error.message
  if (!(error instanceof Error)) return String(error)
  if ('syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo'))
    return `HOST and PORT must name a free address of this machine: ${error.message}`
  return error.stack ?? error.message
}

function announce(config: Config, server: RunningServer): void {
  if (!existsSync(dist))
    print('The pages are not built: run `npm start`, or `npm run dev` and open http://localhost:5173')
  if (config.providers.development)
    print('Development sign-in is on: anybody can sign in as anybody. Configure Google or Facebook before others come.')
  print(`Waggle is at ${server.origin}`)
}

async function stop(server: RunningServer, drainMs: number): Promise<void> {
  setTimeout(() => process.exit(1), STOP_MS + drainMs).unref()
  await server.stop()
  process.exit(0)
}

async function main(): Promise<void> {
  // Only the user of this process may access the files that it writes.
  process.umask(0o077)
  const config = readConfig(process.env)
  const server = await start(config, { dist })
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void stop(server, config.drainMs).catch(fail))
  // Last, because a program that waits for this line may end the server at once.
  announce(config, server)
}

// Tests import `start`.
if (import.meta.main) await main().catch(fail)
