import { randomUUID } from 'node:crypto'
import { createJwt } from '../../../server/accounts/http/jwt.ts'
import { type Balancer, startBalancer } from '../hub/balancer.ts'
import { type ServerProcess, startServerProcess } from '../servers/server-process.ts'
import type { Store } from '../stores/store.ts'
import { openSharedStore } from '../stores/store.ts'

const AT_ONCE = 8
const JWT_SECRET = 'the secret that all machines of a test share'

export type Citizen = { name: string; accountId: string; sessionId: string; hubToken: () => Promise<string> }

export type Machines = {
  balancer: Balancer
  servers: ServerProcess[]
  store: Store
  portOf(server: ServerProcess): number
  /** One more, with its place behind the balancer. */
  add(): Promise<ServerProcess>
  kill(server: ServerProcess): Promise<void>
  /** Ends it in order, as an upgrade does. */
  retire(server: ServerProcess): Promise<void>
  /** Somebody with a profile, signed in, without the ways of the browser. */
  citizen(name: string): Promise<Citizen>
  /** So many of them, a few at a time. */
  citizens(count: number): Promise<Citizen[]>
  stop(): Promise<void>
}

/** Servers as `npm start` runs them, on one database and one Redis, behind a balancer. */
export async function startMachines(
  count: number,
  {
    database,
    redis,
    env = {},
    heard,
  }: { database: string; redis: string; env?: Record<string, string>; heard?: (line: string) => void },
): Promise<Machines> {
  const store = await openSharedStore({ url: database, poolSize: AT_ONCE, timeoutMs: 10_000 }, randomUUID)
  const jwt = createJwt(JWT_SECRET, { now: Date.now, after: () => () => undefined })
  const shared = {
    DATABASE_URL: database,
    REDIS_URL: redis,
    JWT_SECRET,
    ADDRESS_REQUESTS_PER_MINUTE: '1000000',
    CONNECTIONS_PER_ADDRESS: '100000',
    ...env,
  }
  const servers: ServerProcess[] = []
  const portOf = ({ url }: ServerProcess) => Number(new URL(url).port)
  const balancer = await startBalancer([])
  const spread = () => balancer.use(servers.map(portOf))

  async function add(): Promise<ServerProcess> {
    const server = await startServerProcess(shared, heard)
    servers.push(server)
    spread()
    return server
  }

  function leave(server: ServerProcess): void {
    servers.splice(servers.indexOf(server), 1)
    spread()
  }

  async function citizen(name: string): Promise<Citizen> {
    const email = `${name}@example.org`
    const at = Date.now()
    const identity = { provider: 'Google', subject: name, email, firstName: name, lastName: 'NA' } as const
    const { id: accountId } = await store.accounts.signIn(identity, at)
    const profile = {
      nickName: name,
      gender: 'others',
      dateOfBirth: '1990-01-01',
      consentVersion: '1',
      consentAt: at,
    } as const
    await store.accounts.saveProfile(accountId, profile, null)
    const sessionId = randomUUID()
    await store.loginSessions.create(sessionId, at)
    await store.loginSessions.attach(sessionId, accountId, at)
    return { name, accountId, sessionId, hubToken: () => jwt.makeHubToken({ accountId, sessionId, signedInAt: at }) }
  }

  for (let index = 0; index < count; index += 1) await add()
  return {
    balancer,
    servers,
    store,
    portOf,
    add,
    async kill(server) {
      const killed = server.kill()
      // A balancer gives nobody to a server that takes no connection.
      leave(server)
      await killed
    },
    async retire(server) {
      leave(server)
      await server.stop()
    },
    citizen,
    async citizens(count) {
      const all: Citizen[] = []
      const numbers = Array.from({ length: count }).keys()
      const lane = async () => {
        for (const number of numbers) all[number] = await citizen(`p${number}`)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, lane))
      return all
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
      await balancer.close()
      await store.close()
    },
  }
}
