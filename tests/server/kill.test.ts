import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { sized } from '../../scripts/test-limits.ts'
import { createDice, type Dice } from '../support/dice.ts'
import { runSeed } from '../support/run-seed.ts'
import { liveOnce, type Promised } from '../support/stores/promised-writes.ts'
import { settledAtOnce } from '../support/stores/settled-people.ts'
import { backends, type StoreBackend } from '../support/stores/stores.ts'

const KILLS: Record<string, number> = { SQLite: sized(2, 6), PostgreSQL: sized(2, 4) }
/** Servers that run in parallel, each with a database of its own. */
const LANES = sized(1, 2)
/** Acknowledged writes of one pair of users, from the first visit to the appeal. */
const WRITES_OF_A_PAIR = 9

async function startOn({ env }: StoreBackend): Promise<{ child: ChildProcess; origin: string }> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: '0',
      ...env,
      LOG_LEVEL: 'silent',
      TRUST_PROXY: '127.0.0.1,::1',
      STUN_URL: 'stun:127.0.0.1:3478',
      REPORTS_TO_WARN: '1',
      REPORTS_TO_SUSPEND: '1',
      ...settledAtOnce,
    },
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const [, origin] = /^Waggle is at (\S+)$/.exec(line) ?? []
    if (origin) return { child, origin }
  }
  throw new Error('the server ended before it listened')
}

/** Kills the process at once, or after up to 200 turns of the event loop. */
function killSoon(child: ChildProcess, dice: Dice): void {
  let turns = dice.chance(0.5) ? 0 : dice.below(200)
  const turn = () => {
    if (turns === 0) child.kill('SIGKILL')
    else setImmediate(turn)
    turns -= 1
  }
  turn()
}

async function lane(backend: StoreBackend, number: number, kills: number): Promise<{ count: number; lost: string[] }> {
  onTestFinished(() => backend.remove())
  const site = { origin: '', address: '' }
  const dice = createDice(runSeed + number)
  const promised: Promised[] = []
  const lost: string[] = []
  let checked = 0

  async function check(from: number): Promise<void> {
    for (const { what, holds } of promised.slice(from)) if (!(await holds())) lost.push(what)
    checked = promised.length
  }

  async function start(round: number): Promise<ChildProcess> {
    const { child, origin } = await startOn(backend)
    onTestFinished(() => void child.kill('SIGKILL'))
    site.origin = origin
    site.address = `10.0.${number}.${round}`
    return child
  }

  async function writeUntilKilled(child: ChildProcess, round: number): Promise<void> {
    const exited = once(child, 'exit')
    // Some kills come before any write, but not the first: each database has something to lose.
    let left = dice.below(WRITES_OF_A_PAIR + 3) + (round === 0 ? kills : 0)
    const done = (one: Promised) => {
      promised.push(one)
      left -= 1
      if (left === 0) killSoon(child, dice)
    }
    if (left === 0) killSoon(child, dice)
    for (let pair = 0; !child.killed; pair += 1) {
      await liveOnce(site, `${number}-${round}-${pair}`, done).catch((error: unknown) => {
        // A write that fails because of the kill was not acknowledged.
        if (!child.killed) throw error
      })
    }
    await exited
  }

  for (let round = 0; round < kills; round += 1) {
    const child = await start(round)
    await check(checked)
    await writeUntilKilled(child, round)
  }
  const child = await start(kills)
  await check(0)
  child.kill('SIGKILL')
  return { count: promised.length, lost }
}

test.each(backends)(
  'a server with $name that is killed repeatedly loses no acknowledged write',
  async ({ name, make }) => {
    const kills = (KILLS[name] ?? 0) / LANES
    const lanes = await Promise.all(
      Array.from({ length: LANES }, async (_, number) => lane(await make(), number, kills)),
    )
    console.log(`kill: ${lanes.map(({ count }) => count).join(' and ')} acknowledged writes over ${name}`)
    expect(lanes.flatMap(({ lost }) => lost)).toEqual([])
    for (const { count } of lanes) expect(count).toBeGreaterThanOrEqual(kills)
  },
)
