import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { WAIT_MS } from '../../../scripts/test-limits.ts'
import { createJwt } from '../../../server/accounts/http/jwt.ts'
import { FleetRouter } from '../../../server/fleet/fleet-router.ts'
import { RedisFleet } from '../../../server/fleet/redis-fleet.ts'
import { createSharedActivity } from '../../../server/matching/redis/shared-activity.ts'
import { redisClient } from '../../../server/platform/redis/redis-client.ts'
import type { Clock } from '../../../server/platform/rules/clock.ts'
import { startBalancer } from '../hub/balancer.ts'
import type { HubServer } from '../hub/hub-fakes.ts'
import { hubWorld, queueOptionsOf, startHub, UNHURRIED_MS, unlimitedRates } from '../hub/hub-fakes.ts'
import { startHttpBalancer } from '../servers/http-balancer.ts'
import type { RedisServer } from '../servers/redis.ts'
import { type ServerProcess, startServerProcess } from '../servers/server-process.ts'
import { openSharedStore } from '../stores/store.ts'

/**
 * Servers that share a Redis: `startHubs` (hubs in this process), `startFleet` (processes behind a balancer), and
 * `startFleetWithUsers` (the same, for tests with many signed-in users).
 */

const realClock: Clock = {
  now: Date.now,
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

let pools = 0

type HubOptions = { regions?: string[]; spillAfterMs?: number }

/** Starts hubs in this process that share one Redis and one store, each in a region of `regions` if given. */
export async function startHubs(count: number, redis: RedisServer, { regions = [], ...times }: HubOptions = {}) {
  pools += 1
  const pool = `pool-${process.pid}-${pools}`
  const world = hubWorld(realClock)
  const log = pino({ level: process.env.HUB_LOG ?? 'silent' })
  async function add(region = ''): Promise<HubServer> {
    const deps = {
      ...world.deps,
      matchTimeoutMs: UNHURRIED_MS,
      ...times,
      region,
      newId: randomUUID,
      rates: unlimitedRates,
    }
    const { clock, matchRecords } = deps
    const client = redisClient(redis.url, log)
    await client.connect()
    onTestFinished(() => client.destroy())
    const queue = queueOptionsOf(deps)
    const fleet = new RedisFleet({ client, pool, matchRecords, queue, clock, newId: randomUUID, log })
    const activity = createSharedActivity({ client, newId: randomUUID, clock, log })
    activity.start()
    onTestFinished(() => activity.stop())
    const server = await startHub({ ...deps, activity, router: new FleetRouter({ fleet, clock, log: deps.log }) })
    onTestFinished(server.stop)
    return server
  }
  const hubs: HubServer[] = []
  for (let index = 0; index < count; index += 1) hubs.push(await add(regions[index]))
  const [first, second] = hubs
  if (!first || !second) throw new Error('a fleet has two servers or more')
  return { ...world, hubs, first, second, add }
}

/** `requests`: sends each HTTP request and WebSocket to a ready server. `connections`: sends each TCP connection to a server. */
type Balancing = 'requests' | 'connections'

type FleetOptions = {
  /** The URLs of PostgreSQL and Redis. */
  database: string
  redis: string
  balancing?: Balancing
  env?: Record<string, string>
  /** Called with each line that a server writes. */
  onLine?: (line: string) => void
  /** The file that runs a server, where it is not this version's. */
  program?: string
}

export type Fleet = {
  /** The origin of the balancer, where browsers connect. */
  origin: string
  /** The servers behind the balancer. */
  servers: ServerProcess[]
  urls(): string[]
  /** Starts another server, of another version if `program` is its file, and adds it to the balancer. */
  add(program?: string): Promise<ServerProcess>
  /** Ends the server by SIGKILL. */
  kill(server: ServerProcess): Promise<void>
  /** Removes the server from the balancer and ends it by SIGTERM, as an upgrade does. */
  retire(server: ServerProcess): Promise<void>
  /** Ends the server by SIGTERM and starts another in its place; the balancer sends requests there all the time. */
  restart(index: number): Promise<void>
  stop(): Promise<void>
}

/** Starts servers as `npm start` runs them, on one database and one Redis, behind a balancer that stores no assignments. */
export async function startFleet(
  count: number,
  { database, redis, balancing = 'requests', env, onLine, program: first }: FleetOptions,
): Promise<Fleet> {
  const balancer = await (balancing === 'requests' ? startHttpBalancer() : startBalancer())
  const servers: ServerProcess[] = []
  const urls = () => servers.map(({ url }) => url)
  const update = () => balancer.use(urls())
  const settings = { DATABASE_URL: database, REDIS_URL: redis, ALLOWED_ORIGINS: balancer.origin, ...env }
  const start = (program = first) => startServerProcess(settings, onLine, program)

  async function add(program?: string): Promise<ServerProcess> {
    const server = await start(program)
    servers.push(server)
    update()
    return server
  }

  function remove(server: ServerProcess): void {
    servers.splice(servers.indexOf(server), 1)
    update()
  }

  async function stop(): Promise<void> {
    await Promise.all(servers.map((server) => server.stop()))
    await balancer.close()
  }

  try {
    await Promise.all(Array.from({ length: count }, () => add()))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    origin: balancer.origin,
    servers,
    urls,
    add,
    async kill(server) {
      const killed = server.kill()
      // Removed at once: a balancer sends nothing to a server that accepts no connection.
      remove(server)
      await killed
    },
    async retire(server) {
      remove(server)
      await server.stop()
    },
    async restart(index) {
      const code = await servers[index]?.stop()
      if (code !== 0) throw new Error(`The server ended with ${code}`)
      servers[index] = await start()
      update()
    },
    stop,
  }
}

/** Settings of servers behind a proxy that names the addresses of clients, with little time to drain. */
export const behindProxy = {
  TRUST_PROXY: '127.0.0.1,::1',
  DATABASE_POOL_SIZE: '4',
  DRAIN_MS: '1000',
  LOG_LEVEL: 'silent',
}

const USERS_AT_ONCE = 8
const JWT_SECRET = 'the secret that all servers of a test share'

export type TestUser = {
  name: string
  accountId: string
  sessionId: string
  hubToken: () => Promise<string>
  /** The token of the cookie `access`. */
  accessToken: () => Promise<string>
}

type Users = {
  /** Creates a signed-in user with a profile directly in the store. */
  createUser(name: string): Promise<TestUser>
  /** Their names are `prefix` and a number. */
  createUsers(count: number, prefix?: string): Promise<TestUser[]>
}

/** Creates users of servers that sign tokens with `secret`. */
export function usersOf(store: Awaited<ReturnType<typeof openSharedStore>>, secret = JWT_SECRET): Users {
  const jwt = createJwt(secret, realClock)

  async function createUser(name: string): Promise<TestUser> {
    const at = Date.now()
    const email = `${name}@example.org`
    const identity = { provider: 'Google', subject: name, email, firstName: name, lastName: 'NA' } as const
    const { id: accountId } = await store.accounts.signIn(identity, at)
    const details = { nickName: name, gender: 'others', dateOfBirth: '1990-01-01' } as const
    await store.accounts.saveProfile(accountId, { ...details, consentVersion: '1', consentAt: at }, null)
    const sessionId = randomUUID()
    await store.loginSessions.create(sessionId, at)
    await store.logins.attach(sessionId, accountId, at)
    const login = { accountId, sessionId, signedInAt: at }
    const [hubToken, accessToken] = [() => jwt.makeHubToken(login), () => jwt.makeAccessToken(login)]
    return { name, accountId, sessionId, hubToken, accessToken }
  }

  return {
    createUser,
    async createUsers(count, prefix = 'p') {
      const users: TestUser[] = []
      const numbers = Array.from({ length: count }).keys()
      const createSome = async () => {
        for (const number of numbers) users[number] = await createUser(`${prefix}${number}`)
      }
      await Promise.all(Array.from({ length: USERS_AT_ONCE }, createSome))
      return users
    },
  }
}

export type FleetWithUsers = Fleet & Users & { store: Awaited<ReturnType<typeof openSharedStore>> }

/** Starts servers without limits for one address, and opens their store to create users in it. */
export async function startFleetWithUsers(count: number, options: FleetOptions): Promise<FleetWithUsers> {
  const store = await openSharedStore(
    { url: options.database, poolSize: USERS_AT_ONCE, timeoutMs: WAIT_MS },
    randomUUID,
  )
  const env = {
    JWT_SECRET,
    ADDRESS_REQUESTS_PER_MINUTE: '1000000',
    CONNECTIONS_PER_ADDRESS: '100000',
    // A slow machine would end matches that are not confirmed in time.
    MATCH_TIMEOUT_MS: '600000',
    ...options.env,
  }
  const fleet = await startFleet(count, { balancing: 'connections', ...options, env })
  return {
    ...fleet,
    ...usersOf(store),
    store,
    async stop() {
      await fleet.stop()
      await store.close()
    },
  }
}
