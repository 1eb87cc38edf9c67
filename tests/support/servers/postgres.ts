import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../../scripts/free-port.ts'
import { postgresFolder } from '../../../scripts/programs.ts'

export type Postgres = {
  port: number
  /** Stops it and closes all connections, as for an upgrade; the data stays. */
  halt(): Promise<void>
  /** Kills it, like a power loss; the data stays. */
  kill(): Promise<void>
  /** Starts it again on the same port and data. */
  resume(): Promise<void>
  stop(): Promise<void>
}

type User = { uid: number; gid: number }

function numberOf(flag: '-u' | '-g', user: string): number {
  return Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }))
}

/** The user that runs PostgreSQL, which refuses to run as root: `postgres`, or `nobody`, which every system has. */
export function postgresUser(): User | null {
  if (process.getuid?.() !== 0) return null
  const [user] = ['postgres', 'nobody'].flatMap((name) => {
    try {
      return { uid: numberOf('-u', name), gid: numberOf('-g', name) }
    } catch {
      return []
    }
  })
  return user ?? null
}

const settings = ['listen_addresses=127.0.0.1', 'max_connections=200']
/** Settings for tests: a commit survives a crash of the process, not of the machine. */
const fast = ['fsync=off', 'full_page_writes=off']

/** Resolves when the output reports that it accepts connections. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let written = ''
    child.stderr?.on('data', (part: Buffer) => {
      written += part.toString()
      if (written.includes('ready to accept connections')) resolve()
    })
    child.once('exit', () => reject(new Error(`PostgreSQL ended before it listened: ${written}`)))
  })
}

const urlOf = (port: number, database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`

/**
 * Creates a database in the PostgreSQL on `port`, empty or as a copy of the database `template`, and resolves with its URL,
 * which has the port `through` of a proxy.
 */
export async function newDatabase(port: number, through = port, template = 'template1'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new Client({ connectionString: urlOf(port, 'postgres') })
  await client.connect()
  await client.query(`create database ${name} template ${template}`)
  await client.end()
  return urlOf(through, name)
}

/** Copies certificate and key, because PostgreSQL requires a key file that only its own user can read. Returns the settings. */
function certificateIn(folder: string, tls: { cert: string; key: string }, user: User | null): string[] {
  return Object.entries(tls).map(([kind, from]) => {
    const file = join(folder, `server.${kind}`)
    copyFileSync(from, file)
    chmodSync(file, 0o600)
    if (user) chownSync(file, user.uid, user.gid)
    return `ssl_${kind}_file=${file}`
  })
}

type Options = {
  /** Syncs commits to the disk, as in production. */
  durable?: boolean
  /** Paths of certificate and key; without them TLS is off. */
  tls?: { cert: string; key: string }
}

/** Starts a PostgreSQL on loopback with its data in a temporary folder. */
export async function startPostgres({ durable = false, tls }: Options = {}): Promise<Postgres> {
  const bin = postgresFolder()
  if (bin === '')
    throw new Error('Install PostgreSQL (Debian: apt-get install postgresql) or put its programs on PATH.')
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const user = postgresUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const as = { cwd: folder, ...user }
  const data = join(folder, 'data')
  // Sorts texts by the rules of a language, like most installations.
  const language = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en']
  const cluster = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', ...language]
  execFileSync(join(bin, 'initdb'), cluster, { ...as, stdio: 'pipe' })
  const port = await freePort()
  const ssl = tls ? ['ssl=on', ...certificateIn(folder, tls, user)] : []
  const options = [
    ...settings,
    ...ssl,
    ...(durable ? [] : fast),
    `port=${port}`,
    `unix_socket_directories=${folder}`,
  ].flatMap((one) => ['-c', one])

  let child: ChildProcess
  let exited: Promise<void>
  async function resume(): Promise<void> {
    child = spawn(join(bin, 'postgres'), ['-D', data, ...options], { ...as, stdio: ['ignore', 'ignore', 'pipe'] })
    exited = new Promise((resolve) => child.once('exit', () => resolve()))
    await ready(child)
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal)
    await exited
  }
  await resume()
  return {
    port,
    // SIGQUIT is an immediate shutdown: the next start recovers from the write-ahead log.
    kill: () => end('SIGQUIT'),
    halt: () => end('SIGINT'),
    resume,
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
