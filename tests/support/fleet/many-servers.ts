import { startHttpBalancer } from '../servers/http-balancer.ts'
import { type ServerProcess, startServerProcess } from '../servers/server-process.ts'

/**
 * Servers as `npm start` runs them that share a database and a Redis, behind a balancer without memory:
 *
 *     const site = await startManyServers(3, { DATABASE_URL: await newDatabase(postgres.port), REDIS_URL: redis.url })
 *     const ada = await signIn(site, { email: 'ada@example.org', address: '192.0.2.1' })
 *     await site.restart(0)
 *     await site.stop()
 */
export type ManyServers = {
  /** Of the balancer, where browsers are. */
  origin: string
  /** The addresses of the servers behind it. */
  urls(): string[]
  /** Ends one by SIGTERM, and starts another in its place; the balancer sends requests there all the time. */
  restart(index: number): Promise<void>
  stop(): Promise<void>
}

export async function startManyServers(count: number, env: Record<string, string>): Promise<ManyServers> {
  const balancer = await startHttpBalancer()
  const servers: ServerProcess[] = []
  const urls = () => servers.map(({ url }) => url)
  const shared = {
    ALLOWED_ORIGINS: balancer.origin,
    TRUST_PROXY: '127.0.0.1,::1',
    DATABASE_POOL_SIZE: '4',
    DRAIN_MS: '1000',
    LOG_LEVEL: 'silent',
    ...env,
  }
  const start = () => startServerProcess(shared)

  async function stop(): Promise<void> {
    await Promise.all(servers.map((server) => server.stop()))
    await balancer.close()
  }

  try {
    servers.push(...(await Promise.all(Array.from({ length: count }, start))))
  } catch (error) {
    await stop()
    throw error
  }
  balancer.use(urls())
  return {
    origin: balancer.origin,
    urls,
    async restart(index) {
      const code = await servers[index]?.stop()
      if (code !== 0) throw new Error(`The server ended with ${code}`)
      servers[index] = await start()
      balancer.use(urls())
    },
    stop,
  }
}
