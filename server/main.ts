import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from './config/config.ts'
import { StoreError } from './platform/database/store-error.ts'
import { type RunningServer, start } from './platform/http/listen.ts'

/** An operator's tools give up on a process that takes longer to end. */
const STOP_MS = 15_000
const dist = join(import.meta.dirname, '..', 'dist')

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function giveUp(error: unknown): never {
  process.stderr.write(`${reason(error)}\n`)
  process.exit(1)
}

/** One line where the operator can do something about it, else everything. */
function reason(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StoreError) return error.message
  if (!(error instanceof Error)) return String(error)
  if ('syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo'))
    return `HOST and PORT must name a free address of this machine: ${error.message}`
  return error.stack ?? error.message
}

function announce(config: Config, server: RunningServer): void {
  if (!existsSync(dist))
    say('The pages are not built: run `npm start`, or `npm run dev` and open http://localhost:5173')
  if (config.providers.development)
    say('Development sign-in is on: anybody can sign in as anybody. Configure Google or Facebook before others come.')
  say(`Waggle is at ${server.origin}`)
}

async function stop(server: RunningServer, drainMs: number): Promise<void> {
  setTimeout(() => process.exit(1), STOP_MS + drainMs).unref()
  await server.stop()
  process.exit(0)
}

// Whatever this process writes is for its own user alone.
process.umask(0o077)

try {
  const config = readConfig(process.env)
  const server = await start(config, { dist })
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void stop(server, config.drainMs).catch(giveUp))
  // Only now, for whoever reads the line may end the server at once.
  announce(config, server)
} catch (error) {
  giveUp(error)
}
