import { createClient } from '@redis/client'
import * as v from 'valibot'
import { freePort } from '../../../scripts/free-port.ts'
import { WAIT_MS } from '../../../scripts/test-limits.ts'
import { pollUntil } from '../poll-until.ts'
import { type RedisServer, startRedis } from './redis.ts'

type Ask = (...words: string[]) => Promise<string>
type Node = RedisServer & {
  id: string
  bus: number
  ask: Ask
  send: Ask
  keysIn: (slot: string, count: number) => Promise<string[]>
  replication: () => Promise<string>
  /** Resolves when the replica of this master has acknowledged all writes so far. */
  replicated: () => Promise<void>
}

export type RedisCluster = {
  urls: string[]
  /** Resolves with the URL of the node that holds this key. */
  nodeOf(key: string): Promise<string>
  /** Resolves with the node that holds this key. */
  masterOf(key: string): Promise<RedisServer & Pick<Node, 'replicated'>>
  /** Moves the empty slot of this key to another master. Resolves with its URL. */
  moveSlotOf(key: string): Promise<string>
  /** Runs `task` while the slot of this key migrates to another master. */
  whileMoving(key: string, task: () => Promise<void>): Promise<void>
  /**
   * Moves the slot of this key to another master key by key, as `redis-cli --cluster reshard` does: `atOnce` keys a command. Calls `halfway` when
   * half of the keys have moved. Resolves with the number of keys.
   */
  moveKeysOf(key: string, options?: { atOnce?: number; halfway?: () => Promise<void> }): Promise<number>
  stop(): Promise<void>
}

/** First and last slot of each of three masters. */
const ranges = [
  [0, 5460],
  [5461, 10_922],
  [10_923, 16_383],
] as const

/** Time without a response after which a master counts as failed. */
const FAILED_MS = 1_000

/** The number after this word of INFO; NaN if the word is missing. */
function offsetIn(word: string, info: string): number {
  return Number.parseInt(info.split(word)[1] ?? '', 10)
}

/** Starts a Redis Cluster of three masters on loopback; with `replicas`, each master has one that replaces it soon after a failure. */
export async function startRedisCluster({ replicas = false } = {}): Promise<RedisCluster> {
  const nodes: Node[] = []
  const stops: (() => unknown)[] = []
  const options = ['--cluster-node-timeout', `${FAILED_MS}`, '--repl-diskless-sync-delay', '0']
  // By default a replica never takes over once it has been without its master for about ten such times, as in elections on a busy machine.
  options.push('--cluster-replica-validity-factor', '0')

  async function stop(): Promise<void> {
    for (const one of stops.reverse()) await one()
  }

  async function startNode(): Promise<Node> {
    const bus = await freePort()
    const server = await startRedis([
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      String(bus),
      ...(replicas ? options : []),
    ])
    stops.push(server.stop)
    const client = createClient({ url: server.url, disableOfflineQueue: true })
    client.on('error', () => undefined)
    await client.connect()
    stops.push(() => client.destroy())
    const send: Ask = async (...words) => String(await client.sendCommand(words))
    const ask: Ask = (...words) => send('CLUSTER', ...words)
    const keysIn = async (slot: string, count: number) =>
      v.parse(v.array(v.string()), await client.sendCommand(['CLUSTER', 'GETKEYSINSLOT', slot, String(count)]))
    const replication = async () => String(await client.sendCommand(['INFO', 'replication']))
    // WAIT would only count the writes of its own connection, and this one writes nothing.
    const replicated = async () => {
      const written = offsetIn('master_repl_offset:', await replication())
      const has = async () => offsetIn('state=online,offset=', await replication()) >= written
      await pollUntil(has, WAIT_MS, () => 'A replica lacks writes')
    }
    const node = { ...server, id: await ask('MYID'), bus, ask, send, keysIn, replication, replicated }
    nodes.push(node)
    return node
  }

  async function hold(what: string, of: (node: Node) => Promise<boolean>): Promise<void> {
    for (const node of nodes)
      await pollUntil(
        () => of(node),
        WAIT_MS,
        () => what,
      )
  }

  async function assemble(): Promise<void> {
    for (const [from, to] of ranges) {
      const { ask } = await startNode()
      await ask('ADDSLOTSRANGE', String(from), String(to))
      await ask('SET-CONFIG-EPOCH', String(nodes.length))
    }
    const masters = [...nodes]
    for (const _ of replicas ? masters : []) await startNode()
    const [first, ...others] = nodes
    for (const { port, bus } of others) await first?.ask('MEET', '127.0.0.1', String(port), String(bus))
    await hold('The cluster is not complete', async ({ ask }) => {
      const info = await ask('INFO')
      return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes.length}`)
    })
    if (!replicas) return
    for (const [index, { id }] of masters.entries()) await nodes[masters.length + index]?.ask('REPLICATE', id)
    await hold('A replica is missing', async ({ ask }) => {
      const lines = (await ask('NODES')).split('\n')
      return lines.filter((line) => /slave/.test(line) && / connected$/.test(line)).length === masters.length
    })
    // A replica that has not synchronised may not replace its master.
    await hold('A replica has not synchronised', async ({ replication }) =>
      /role:master|master_link_status:up/.test(await replication()),
    )
  }

  const slotOf = async (key: string) => Number(await nodes[0]?.ask('KEYSLOT', key))

  async function masterOf(key: string): Promise<Node> {
    const slot = await slotOf(key)
    const node = nodes[ranges.findIndex(([from, to]) => from <= slot && slot <= to)]
    if (!node) throw new Error('there is no such node')
    return node
  }

  async function move(key: string): Promise<{ slot: string; from: Node; to: Node }> {
    const from = await masterOf(key)
    const to = nodes.find((node) => node !== from)
    if (!to) throw new Error('there is no other node')
    return { slot: String(await slotOf(key)), from, to }
  }

  try {
    await assemble()
    return {
      urls: nodes.map(({ url }) => url),
      nodeOf: async (key) => (await masterOf(key)).url,
      masterOf,
      async moveSlotOf(key) {
        const { slot, from, to } = await move(key)
        for (const { ask } of [to, from]) await ask('SETSLOT', slot, 'NODE', to.id)
        return to.url
      },
      async whileMoving(key, task) {
        const { slot, from, to } = await move(key)
        await to.ask('SETSLOT', slot, 'IMPORTING', from.id)
        await from.ask('SETSLOT', slot, 'MIGRATING', to.id)
        await task()
        for (const { ask } of [to, from]) await ask('SETSLOT', slot, 'STABLE')
      },
      async moveKeysOf(key, { atOnce = 10, halfway } = {}) {
        const { slot, from, to } = await move(key)
        const half = Number(await from.ask('COUNTKEYSINSLOT', slot)) / 2
        await to.ask('SETSLOT', slot, 'IMPORTING', from.id)
        await from.ask('SETSLOT', slot, 'MIGRATING', to.id)
        let moved = 0
        let isHalfway = false
        for (;;) {
          const keys = await from.keysIn(slot, atOnce)
          if (keys.length === 0) break
          await from.send('MIGRATE', '127.0.0.1', String(to.port), '', '0', '5000', 'KEYS', ...keys)
          moved += keys.length
          if (isHalfway || moved < half) continue
          isHalfway = true
          await halfway?.()
        }
        for (const { ask } of [to, from]) await ask('SETSLOT', slot, 'NODE', to.id)
        return moved
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
