import { createClient } from 'redis'
import { vi } from 'vitest'
import { freePort } from './free-port.ts'
import { type RedisServer, startRedis } from './redis.ts'

export type RedisCluster = {
  urls: string[]
  /** The address of the node that has this key. */
  nodeOf(key: string): Promise<string>
  stop(): Promise<void>
}

/** The slots of three masters, from and to. */
const ranges = [
  [0, 5460],
  [5461, 10_922],
  [10_923, 16_383],
] as const

/** A Redis Cluster of three masters on loopback. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const nodes: (RedisServer & { bus: number; ask: (...words: string[]) => Promise<unknown> })[] = []
  const stops: (() => unknown)[] = []

  async function stop(): Promise<void> {
    for (const one of stops.reverse()) await one()
  }

  async function startNode([from, to]: readonly [number, number]): Promise<void> {
    const bus = await freePort()
    const node = await startRedis(['--cluster-enabled', 'yes', '--cluster-port', String(bus)])
    stops.push(node.stop)
    const client = createClient({ url: node.url })
    await client.connect()
    stops.push(() => client.destroy())
    const ask = (...words: string[]) => client.sendCommand(['CLUSTER', ...words])
    await ask('ADDSLOTSRANGE', String(from), String(to))
    await ask('SET-CONFIG-EPOCH', String(nodes.length + 1))
    nodes.push({ ...node, bus, ask })
  }

  try {
    for (const range of ranges) await startNode(range)
    const [first, ...others] = nodes
    for (const { port, bus } of others) await first?.ask('MEET', '127.0.0.1', String(port), String(bus))
    for (const { ask } of nodes)
      await vi.waitFor(async () => {
        const info = String(await ask('INFO'))
        if (!info.includes('cluster_state:ok') || !info.includes('cluster_known_nodes:3'))
          throw new Error(`The cluster does not stand: ${info}`)
      }, 20_000)
    return {
      urls: nodes.map(({ url }) => url),
      async nodeOf(key) {
        const slot = Number(await first?.ask('KEYSLOT', key))
        return nodes[ranges.findIndex(([from, to]) => from <= slot && slot <= to)]?.url ?? ''
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
