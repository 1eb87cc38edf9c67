import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Attack } from './attacks/attack.ts'
import { attacks, bareFlood } from './attacks/attack-list.ts'
import { startAttacker } from './attacks/attacker-process.ts'
import { signInWithProvider, startBrokenProvider } from './attacks/broken-provider.ts'
import { type BystanderWaits, bystandersOf } from './attacks/bystanders.ts'
import { memoryOf, watchMemory } from './attacks/memory.ts'
import { type ServerUnderAttack, startServerUnderAttack } from './attacks/server-under-attack.ts'
import { type AttackRow, missedBars, tableHead, tableLine } from './attacks/table.ts'

/**
 * What an attack costs the others. Two settings: BENCH_SERVER is the folder of the repository whose server is attacked (this
 * one by default), BENCH_ATTACKS names the attacks, separated by commas (all by default).
 */

const WARM_UP_MS = 4_000
const AFTER_MS = 5_000
/** Shortest time of measuring: some attacks are over at once. */
const WATCHED_MS = 10_000

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))
const serverFolder = resolve(process.env.BENCH_SERVER ?? fileURLToPath(new URL('../..', import.meta.url)))

type RowOptions = Pick<Attack, 'env' | 'brokenProvider'> & {
  act(server: ServerUnderAttack): Promise<() => Promise<AttackRow['got']>>
}

/** Measures bystanders and memory of a fresh server while the attack that `act` prepares runs. */
async function rowOf(name: string, what: string, options: RowOptions): Promise<AttackRow> {
  const provider = options.brokenProvider ? await startBrokenProvider() : null
  const server = await startServerUnderAttack(serverFolder, { ...options.env, ...provider?.env })
  try {
    const bystanders = await bystandersOf(server.origin, provider ? signInWithProvider : undefined)
    const run = await options.act(server)
    const warmUp = bystanders.watch()
    await wait(WARM_UP_MS)
    await warmUp.end()
    const before = memoryOf(server.pid)
    const memory = watchMemory(server.pid)
    const watched = bystanders.watch()
    const [got] = await Promise.all([run(), wait(WATCHED_MS)])
    const heap = await server.heap()
    const waits: BystanderWaits = await watched.end()
    const peak = memory.end()
    await wait(AFTER_MS)
    const after = memoryOf(server.pid)
    bystanders.end()
    return { name, what, waits, memory: { before, peak, after, heap }, end: server.end(), got }
  } finally {
    await server.stop()
    await provider?.close()
  }
}

function attackRow(name: string): Promise<AttackRow> {
  const attack = attacks[name]
  if (!attack) throw new Error(`No such attack: ${name}. There are ${Object.keys(attacks).join(', ')}.`)
  return rowOf(name, attack.what, {
    ...(attack.env && { env: attack.env }),
    ...(attack.brokenProvider && { brokenProvider: attack.brokenProvider }),
    async act({ origin }) {
      const attacker = await startAttacker(name, origin)
      return async () => {
        const got = await attacker.attack(attack.atMostMs)
        attacker.stop()
        return got
      }
    },
  })
}

const calmRow = () =>
  rowOf('no attack', 'bystanders alone', {
    act: async () => async () => ({}),
  })

/** Baseline: the same attacker load against a bare server, to measure the effect of the shared machine. */
async function machineRow(): Promise<AttackRow> {
  const path = fileURLToPath(new URL('./attacks/bare-server.ts', import.meta.url))
  const bare = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [origin] = await once(createInterface({ input: bare.stdout }), 'line')
    return await rowOf('no attack', `a bare node:http server beside it is flooded (${bareFlood.what})`, {
      async act() {
        const attacker = await startAttacker('bare-flood', String(origin))
        return async () => {
          const got = await attacker.attack(bareFlood.atMostMs)
          attacker.stop()
          return got
        }
      },
    })
  } finally {
    bare.kill('SIGKILL')
  }
}

/** Prints the table. Resolves with the names of the rows that miss a bar. */
export async function benchAttacks(): Promise<string[]> {
  const chosen = process.env.BENCH_ATTACKS?.split(',') ?? Object.keys(attacks)
  const rows: (() => Promise<AttackRow>)[] = [calmRow, machineRow, ...chosen.map((name) => () => attackRow(name))]
  const missed: string[] = []
  console.log(tableHead)
  for (const measure of rows) {
    const row = await measure().catch(String)
    console.log(typeof row === 'string' ? `| not measured: ${row} |` : tableLine(row))
    if (typeof row === 'string') missed.push(row)
    else if (missedBars(row).length > 0) missed.push(row.name)
  }
  return missed
}
