import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { caddyPath } from '../../scripts/caddy.ts'
import { coturnPath } from '../../scripts/coturn.ts'
import { postgresFolder } from '../../scripts/postgres.ts'
import { redisServerPath } from '../../scripts/redis.ts'
import { knownToDebian } from '../support/servers/caddy.ts'
import { postgresUser } from '../support/servers/postgres.ts'
import { deployed, exampleVariables, imageVariables, readDeployed, readServices } from './compose.ts'
import { certificate, copyCertificate, folderOf, hosts, SITE } from './machine.ts'
import { type Command, Part } from './part.ts'

/** The services of compose.yaml as processes: the same files, variables and command lines, with paths of this machine. */

const secret = () => randomBytes(32).toString('hex')

/** What `.env` holds. Images are not used here. */
const values = {
  SITE,
  POSTGRES_PASSWORD: secret(),
  VALKEY_PASSWORD: secret(),
  TURN_SECRET: secret(),
  ...Object.fromEntries(['NODE', 'CADDY', 'POSTGRES', 'VALKEY', 'COTURN'].map((name) => [`${name}_IMAGE`, name])),
}
const service = readServices(values)

export const secrets = { JWT_SECRET: secret(), METRICS_TOKEN: secret() }
export const CLIENT_ID = 'rehearsal.apps.example.org'

/** Puts paths of this machine in the place of those of a container; what was put in is not looked at again. */
function withPaths(text: string, paths: Readonly<Record<string, string>>): string {
  const written = Object.keys(paths).map((path) => path.replaceAll('.', '\\.'))
  return text.replaceAll(new RegExp(written.join('|'), 'g'), (path) => paths[path] ?? path)
}

function listens(host: string, port: number): () => Promise<boolean> {
  return () =>
    new Promise((resolve) => {
      const socket = connect({ host, port, timeout: 1_000 })
      socket.once('connect', () => resolve(true)).once('connect', () => socket.destroy())
      socket.once('error', () => resolve(false))
      socket.once('timeout', () => resolve(false)).once('timeout', () => socket.destroy())
    })
}

export const responds = (url: string) => () =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

function createDatabase(): Part {
  const { command, environment } = service('database')
  const folder = folderOf('database')
  const user = postgresUser() ?? { uid: 0, gid: 0 }
  copyCertificate('database.pem', join(folder, 'server.pem'))
  copyCertificate('database.key', join(folder, 'server.key'))
  const password = join(folder, 'password')
  writeFileSync(password, environment.POSTGRES_PASSWORD ?? '')
  for (const path of [folder, ...['server.pem', 'server.key', 'password'].map((name) => join(folder, name))])
    chownSync(path, user.uid, user.gid)
  const bin = postgresFolder()
  const data = join(folder, 'data')
  const as = { ...user, cwd: folder, stdio: 'pipe' } as const
  const own = [
    '--auth-host=scram-sha-256',
    '--auth-local=trust',
    `--pwfile=${password}`,
    '--encoding=UTF8',
    '--no-sync',
  ]
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', environment.POSTGRES_USER ?? '', ...own], as)
  // What the image's entrypoint does: a database, and every address with a password.
  writeFileSync(join(data, 'pg_hba.conf'), 'local all all trust\nhost all all all scram-sha-256\n')
  const statement = `create database ${environment.POSTGRES_DB}`
  execFileSync(join(bin, 'postgres'), ['--single', '-D', data, 'postgres'], { ...as, input: statement })
  const [program = '', ...args] = command.map((word) => withPaths(word, { '/certificates': folder }))
  const here = ['-D', data, '-c', `unix_socket_directories=${folder}`, '-c', `listen_addresses=${hosts.database}`]
  return new Part(
    'database',
    { argv: [join(bin, program), ...args, ...here], ...user, cwd: folder },
    listens(hosts.database, 5432),
  )
}

function createQueue(): Part {
  const { entrypoint, command, environment } = service('queue')
  const folder = folderOf('queue')
  const ids = { uid: 999, gid: 1000 }
  copyCertificate('queue.pem', join(folder, 'server.pem'))
  copyCertificate('queue.key', join(folder, 'server.key'))
  for (const path of [folder, join(folder, 'server.key'), join(folder, 'server.pem')]) chownSync(path, ids.uid, ids.gid)
  // Debian 12 has Redis, not Valkey.
  symlinkSync(redisServerPath(), join(folder, 'valkey-server'))
  const argv = [...entrypoint, ...command].map((word) => withPaths(word, { '/certificates': folder, '/tmp': folder }))
  const env = { ...environment, PATH: `${folder}:${process.env.PATH}` }
  return new Part('queue', { argv, env, ...ids, cwd: folder }, listens(hosts.queue, 6379))
}

function createRelay(): Part {
  const { entrypoint, command, environment } = service('relay')
  const folder = folderOf('relay')
  const program = withPaths(command[0] ?? '', {
    '/etc/coturn/turnserver.conf': deployed('coturn/turnserver.conf'),
    '/tmp': folder,
    'exec turnserver': `exec ${coturnPath()}`,
  })
  const address = hosts['turn.example.org']
  // It would take every address of this machine; a relay has one of its own.
  const own = ` --listening-ip=${address} --relay-ip=${address} --pidfile=${folder}/pid --verbose`
  const argv = [...entrypoint, program.trimEnd() + own]
  return new Part('relay', { argv, env: environment, cwd: folder }, listens(address, 3478))
}

/** The user of the image. */
const SERVER = { uid: 1000, gid: 1000 }

/** The settings of a server, as its container has them. `extra` are those of a drill. */
function serverVariables(host: 'web' | 'web2', extra: Record<string, string>): Record<string, string> {
  const filledIn = {
    GOOGLE_CLIENT_ID: CLIENT_ID,
    CONTACT_EMAIL: 'help@example.org',
    ALIAS_SECRET: aliasSecret,
    EVIDENCE_KEYS: `2026a:${evidenceSecret}`,
    ...secrets,
  }
  return {
    ...imageVariables(),
    ...exampleVariables(filledIn),
    ...service(host).environment,
    // The rehearsal's provider stands for Google.
    GOOGLE_TOKENINFO_URL: `http://provider:8080/tokeninfo`,
    HOST: hosts[host],
    ...extra,
  }
}
const aliasSecret = secret()
const evidenceSecret = secret()

const authorityPath = () => ({ '/certificates/ca.pem': certificate('ca.pem') })

/** The database as the servers reach it. */
export function databaseUrl(): string {
  return withPaths(service('web').environment.DATABASE_URL ?? '', authorityPath())
}

/** Returns the command of a server, as user 1000. `extra` are the settings of a drill. */
export function serverCommand(host: 'web' | 'web2', extra: Record<string, string> = {}): Command {
  const named = Object.entries({ ...serverVariables(host, extra), DATA_DIR: folderOf(host) })
  const env = Object.fromEntries(named.map(([name, value]) => [name, withPaths(value, authorityPath())]))
  return { argv: [process.execPath, 'server/main.ts'], env, ...SERVER }
}

function createServer(host: 'web' | 'web2'): Part {
  const folder = folderOf(host)
  chownSync(folder, SERVER.uid, SERVER.gid)
  chmodSync(folder, 0o700)
  return new Part(host, serverCommand(host), responds(`http://${hosts[host]}:3000/readyz`))
}

function createBalancer(): Part {
  const folder = folderOf('balancer')
  mkdirSync(join(folder, 'site'))
  writeFileSync(join(folder, 'Caddyfile'), knownToDebian(readDeployed('container/Caddyfile')))
  // As README.md says for a certificate of one's own.
  const [cert, key] = [certificate(`${SITE}.pem`), certificate(`${SITE}.key`)]
  writeFileSync(join(folder, 'site/certificate.caddy'), `tls ${cert} ${key}\n`)
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...service('balancer').environment }
  const argv = [caddyPath(), 'run', '--config', 'Caddyfile', '--adapter', 'caddyfile']
  return new Part('balancer', { argv, env, cwd: folder }, responds(`https://${SITE}/healthz`))
}

export type Parts = Record<'database' | 'queue' | 'relay' | 'web' | 'web2' | 'balancer', Part>

/** Returns the services in the order in which they start. */
export function createParts(): Parts {
  return {
    database: createDatabase(),
    queue: createQueue(),
    relay: createRelay(),
    web: createServer('web'),
    web2: createServer('web2'),
    balancer: createBalancer(),
  }
}
