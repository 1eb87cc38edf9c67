import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { pathOf, postgresFolder } from '../../scripts/programs.ts'
import { knownToDebian } from '../support/servers/caddy.ts'
import { postgresUser } from '../support/servers/postgres.ts'
import { deployed, exampleVariables, imageVariables, readDeployed, readServices } from './compose.ts'
import { containerCommand, podman, SERVER_IMAGE, SERVICES_IMAGE, whyPlain } from './containers.ts'
import { certificate, folderOf, hosts, SITE } from './machine.ts'
import { type Command, Part } from './part.ts'

/** The services of compose.yaml, with its files, variables and command lines: in containers, or as processes with paths of this machine. */

const secret = () => randomBytes(32).toString('hex')

/** What `.env` holds. Images are those of images.ts. */
const values = {
  SITE,
  POSTGRES_PASSWORD: secret(),
  VALKEY_PASSWORD: secret(),
  TURN_SECRET: secret(),
  ...Object.fromEntries(['NODE', 'CADDY', 'POSTGRES', 'VALKEY', 'COTURN'].map((name) => [`${name}_IMAGE`, name])),
}
export const service = readServices(values)

export const secrets = { JWT_SECRET: secret(), METRICS_TOKEN: secret() }
export const CLIENT_ID = 'rehearsal.apps.example.org'

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

type ServiceName = keyof Parts
type User = { uid: number; gid: number }

/** A service in the words of its container, and what stands for its files on this machine. */
type Run = {
  /** Empty: the command of the image. */
  argv: readonly string[]
  env: Record<string, string>
  /** Files and folders of this machine by their paths in the container. */
  paths: Readonly<Record<string, string>>
  /** Those of the paths that the service writes to; the service has its own temporary folders. */
  writable?: readonly string[]
  /** The user of the image, where compose.yaml names none. */
  user?: string
  /** What is different in a process without a container. */
  plain: {
    argv?: readonly string[]
    env?: Record<string, string>
    paths?: Readonly<Record<string, string>>
    user?: User
    /** The folders of its programs. */
    programs?: readonly string[]
  }
}

/** Puts paths of this machine in the place of those of a container; what was put in is not looked at again. */
function withPaths(text: string, paths: Readonly<Record<string, string>>): string {
  const longestFirst = Object.keys(paths).toSorted((one, other) => other.length - one.length)
  const written = longestFirst.map((path) => path.replaceAll('.', '\\.'))
  return text.replaceAll(new RegExp(written.join('|'), 'g'), (path) => paths[path] ?? path)
}

const isServer = (name: ServiceName) => name === 'web' || name === 'web2'

function commandOf(name: ServiceName, run: Run): Command {
  const { argv, env, paths, writable = [], plain } = run
  if (whyPlain === '') {
    const [written, image] = [service(name), isServer(name) ? SERVER_IMAGE : SERVICES_IMAGE]
    const { user = written.user } = run
    return containerCommand({ name, service: { ...written, user }, image, argv, env, mounts: paths, writable })
  }
  const local = { ...paths, ...plain.paths }
  const variables = Object.entries({ ...env, ...plain.env }).map(([key, value]) => [key, withPaths(value, local)])
  const path = [...(plain.programs ?? []), process.env.PATH].join(':')
  return {
    argv: (plain.argv ?? argv).map((word) => withPaths(word, local)),
    env: { ...(Object.fromEntries(variables) as Record<string, string>), PATH: path },
    ...plain.user,
    ...(!isServer(name) && { cwd: folderOf(name) }),
  }
}

/** Gives a file or folder to a user of compose.yaml, or to the one of this machine. */
function give(user: User | undefined, paths: readonly string[]): void {
  for (const path of paths) chownSync(path, user?.uid ?? 0, user?.gid ?? 0)
}

function userOf(name: ServiceName): User | undefined {
  const [uid, gid] = service(name).user.split(':').map(Number)
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

/** Runs a command to its end; throws with its output if it fails. */
function runOnce({ argv: [program = '', ...args], env, uid, gid, cwd }: Command): void {
  const as = { ...(uid !== undefined && { uid, gid }), ...(cwd !== undefined && { cwd }) }
  execFileSync(program, args, { env: { PATH: process.env.PATH ?? '', ...env }, stdio: 'pipe', ...as })
}

function createDatabase(): Part {
  const { command, environment } = service('database')
  const folder = folderOf('database')
  const data = join(folder, 'data')
  const password = join(folder, 'password')
  const user = whyPlain === '' ? userOf('database') : (postgresUser() ?? undefined)
  mkdirSync(data)
  writeFileSync(password, environment.POSTGRES_PASSWORD ?? '', { mode: 0o600 })
  give(user, [folder, data, password, certificate('database.key')])
  const own = {
    env: environment,
    paths: {
      '/var/lib/postgresql/data': data,
      '/run/password': password,
      '/certificates/server.pem': certificate('database.pem'),
      '/certificates/server.key': certificate('database.key'),
    },
    writable: ['/var/lib/postgresql/data'],
    plain: { ...(user && { user }), paths: { '/run/postgresql': folder }, programs: [postgresFolder()] },
  }
  // What the image's entrypoint does: a database, and every address with a password.
  const auth = '--auth-host=scram-sha-256 --auth-local=trust --pwfile=/run/password --encoding=UTF8 --no-sync'
  const first = `initdb -D /var/lib/postgresql/data -U ${environment.POSTGRES_USER} ${auth}
    echo 'create database ${environment.POSTGRES_DB}' | postgres --single -D /var/lib/postgresql/data postgres`
  runOnce(commandOf('database', { ...own, argv: ['sh', '-ec', first] }))
  writeFileSync(join(data, 'pg_hba.conf'), 'local all all trust\nhost all all all scram-sha-256\n')
  const here = [`listen_addresses=${hosts.database}`, 'unix_socket_directories=/run/postgresql']
  const argv = [...command, '-D', '/var/lib/postgresql/data', ...here.flatMap((setting) => ['-c', setting])]
  return new Part('database', commandOf('database', { ...own, argv }), listens(hosts.database, 5432))
}

function createQueue(): Part {
  const { entrypoint, command, environment } = service('queue')
  const folder = folderOf('queue')
  const user = userOf('queue')
  give(user, [folder, certificate('queue.key')])
  // Debian 12 has Redis, not Valkey.
  symlinkSync(pathOf('redis-server'), join(folder, 'valkey-server'))
  const run = {
    argv: [...entrypoint, ...command],
    env: environment,
    paths: {
      '/certificates/ca.pem': certificate('ca.pem'),
      '/certificates/server.pem': certificate('queue.pem'),
      '/certificates/server.key': certificate('queue.key'),
    },
    plain: { ...(user && { user }), paths: { '/tmp': folder }, programs: [folder] },
  }
  return new Part('queue', commandOf('queue', run), listens(hosts.queue, 6379))
}

function createRelay(): Part {
  const { entrypoint, command, environment } = service('relay')
  const folder = folderOf('relay')
  const address = hosts['turn.example.org']
  // It would take every address of this machine; a relay has one of its own.
  const own = ` --listening-ip=${address} --relay-ip=${address} --pidfile=/var/run/turnserver.pid --verbose`
  const run = {
    argv: [...entrypoint, (command[0] ?? '').trimEnd() + own],
    env: environment,
    paths: { '/etc/coturn/turnserver.conf': deployed('coturn/turnserver.conf') },
    user: 'nobody:nogroup',
    plain: { paths: { '/tmp': folder, '/var/run': folder }, programs: [dirname(pathOf('coturn'))] },
  }
  return new Part('relay', commandOf('relay', run), listens(address, 3478))
}

/** The user of the image. */
const SERVER = { uid: 1000, gid: 1000 }
const aliasSecret = secret()
const evidenceSecret = secret()

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
    ...exampleVariables(filledIn),
    ...service(host).environment,
    // The rehearsal's provider stands for Google.
    GOOGLE_TOKENINFO_URL: `http://provider:8080/tokeninfo`,
    HOST: hosts[host],
    ...extra,
  }
}

const authorityPath = () => ({ '/certificates/ca.pem': certificate('ca.pem') })

/** The database as the servers reach it. */
export function databaseUrl(): string {
  return withPaths(service('web').environment.DATABASE_URL ?? '', authorityPath())
}

/** Returns the command of a server. `extra` are the settings of a drill. */
export function serverCommand(host: 'web' | 'web2', extra: Record<string, string> = {}): Command {
  const variables = serverVariables(host, extra)
  return commandOf(host, {
    argv: [],
    env: variables,
    paths: authorityPath(),
    plain: {
      argv: [process.execPath, 'server/main.ts'],
      env: { ...imageVariables(), ...variables, DATA_DIR: folderOf(host) },
      user: SERVER,
    },
  })
}

/** One server in a container without the other services: its records are in /data. */
export function createLoneServer(): Part {
  const { DATABASE_URL, REDIS_URL, REDIS_CA, HOST, ...env } = serverVariables('web', { PORT: '3001' })
  const container = { name: 'alone', service: service('web'), image: SERVER_IMAGE, argv: [], env, writable: [] }
  const isHealthy = async () => (await podman('healthcheck', 'run', 'alone')).code === 0
  return new Part('alone', containerCommand({ ...container, mounts: authorityPath() }), isHealthy)
}

function createServer(host: 'web' | 'web2'): Part {
  const folder = folderOf(host)
  give(SERVER, [folder])
  chmodSync(folder, 0o700)
  return new Part(host, serverCommand(host), responds(`http://${hosts[host]}:3000/readyz`))
}

function createBalancer(): Part {
  const folder = folderOf('balancer')
  const caddyfile = join(folder, 'Caddyfile')
  const ownCertificate = join(folderOf('balancer/site'), 'certificate.caddy')
  // As README.md says for a certificate of one's own.
  const [cert, key] = [`/etc/caddy/site/${SITE}.pem`, `/etc/caddy/site/${SITE}.key`]
  const paths = {
    '/data': folderOf('balancer/data'),
    '/config': folderOf('balancer/config'),
    '/etc/caddy/Caddyfile': caddyfile,
    '/etc/caddy/site/certificate.caddy': ownCertificate,
    [cert]: certificate(`${SITE}.pem`),
    [key]: certificate(`${SITE}.key`),
  }
  const tls = `tls ${cert} ${key}\n`
  writeFileSync(caddyfile, knownToDebian(readDeployed('container/Caddyfile')))
  writeFileSync(ownCertificate, whyPlain === '' ? tls : withPaths(tls, paths))
  const run = {
    argv: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'],
    // The image sets both folders.
    env: { HOME: '/data', XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: '/config', ...service('balancer').environment },
    paths,
    writable: ['/data', '/config'],
    plain: { programs: [dirname(pathOf('caddy'))] },
  }
  return new Part('balancer', commandOf('balancer', run), responds(`https://${SITE}/healthz`))
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
