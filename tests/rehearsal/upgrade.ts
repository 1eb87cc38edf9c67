import { join } from 'node:path'
import { Client } from 'pg'
import { type Fleet, startFleet } from '../support/fleet/many-servers.ts'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import { startRedis } from '../support/servers/redis.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { earlierVersion } from './earlier-version.ts'
import { picturesMove, untilAll, untilAllChat, writeToEachOther } from './upgrade-people.ts'
import { arrange, type Scene } from './upgrade-scene.ts'

/** The settings of servers behind a balancer that names addresses. */
const SETTINGS = {
  TRUST_PROXY: '127.0.0.1,::1',
  DATABASE_POOL_SIZE: '8',
  DRAIN_MS: '1000',
  ADDRESS_REQUESTS_PER_MINUTE: '100000',
  LOG_LEVEL: 'warn',
}
const NOW = 'server/main.ts'

let failed = 0

function say(isKept: boolean, text: string): void {
  if (!isKept) failed += 1
  console.log(`${isKept ? 'keeps ' : 'BREAKS'}    ${text}`)
}

async function step(what: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now()
  try {
    await work()
    say(true, `${what} (${((performance.now() - start) / 1_000).toFixed(1)} s)`)
  } catch (error) {
    say(false, `${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The number of rows of each table. */
async function countRows(database: Client): Promise<Map<string, number>> {
  const { rows } = await database.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = 'public' order by tablename`,
  )
  const counts = new Map<string, number>()
  for (const { tablename } of rows) {
    const { rows: counted } = await database.query<{ count: string }>(`select count(*) from "${tablename}"`)
    counts.set(tablename, Number(counted[0]?.count))
  }
  return counts
}

/** One person connects to a server of each version and must meet who waits, the longest wait first; the one at the first server reports. */
async function meetAtBoth({ site, waiters, meetInTurn }: Scene, database: Client): Promise<void> {
  const before = (await countRows(database)).get('reports') ?? 0
  const [old, fresh] = site.servers
  const newcomers = [
    await meetInTurn(old?.url ?? '', 'mixed-0', waiters[0]),
    await meetInTurn(fresh?.url ?? '', 'mixed-1', waiters[1]),
  ] as const
  for (const client of [...newcomers, ...waiters])
    if ((await client.sendChat()) === null) throw new Error(`a message of ${client.name} was not delivered`)
  const joins = waiters.map((waiter) => waiter.joins)
  await newcomers[0].report()
  const reports = (await countRows(database)).get('reports')
  if (reports !== before + 1) throw new Error(`${reports} reports, ${before} before`)
  for (const [index, client] of newcomers.entries()) {
    await client.stop()
    await untilAll(waiters.slice(index, index + 1), 'back in the queue', (one) => one.joins > (joins[index] ?? 0))
  }
}

/** The earlier version must not start on the new tables. */
async function expectRefusal(program: string, env: Record<string, string>): Promise<void> {
  const lines: string[] = []
  const started = await startServerProcess(env, (line) => void lines.push(line), program).catch(() => null)
  await started?.stop()
  if (started) throw new Error('it started')
  console.log(`measured  it says: ${lines.join(' | ')}`)
}

async function replaceBoth(scene: Scene, database: Client, refuse: () => Promise<void>): Promise<void> {
  const { site, talkers, callers } = scene
  const [first, second] = [...site.servers]
  const write = async (text: string) => {
    await picturesMove(callers)
    await writeToEachOther(callers, text)
  }
  await step('the first server is replaced; the other one serves while the tables are upgraded', async () => {
    if (first) await site.retire(first)
    await site.add(NOW)
  })
  await step('both versions side by side: everybody who talks goes on', () => untilAllChat(talkers))
  await step('both versions side by side: the browsers go on and write', () => write('between'))
  await step('newcomers at both versions meet who waited longest; a report at the earlier one is kept', () =>
    meetAtBoth(scene, database),
  )
  await step('a server of the earlier version refuses to start on the new tables', refuse)
  await step('the second server is replaced', async () => {
    if (second) await site.retire(second)
    await site.add(NOW)
  })
  await step('everybody who talks goes on', () => untilAllChat(talkers))
  await step('the browsers, with the page of the earlier version, go on and write', () => write('after'))
  await step('who waited longer is matched first, also after two changes of the server', async () => {
    for (const [index, waiter] of scene.waiters.entries())
      await scene.meetInTurn(site.origin, `newcomer-${index}`, waiter)
  })
  await step('a reload brings the new page, with the login', async () => {
    for (const { page } of callers) {
      await page.goto('/')
      await page.getByRole('button', { name: 'Start video chat' }).waitFor()
    }
  })
}

/** Counts what was lost. */
async function checkLosses({ talkers, chats, load }: Scene): Promise<void> {
  const faults = await load.end()
  const some = faults.length > 0 ? `, as ${JSON.stringify(faults.slice(0, 3))}` : ''
  say(
    faults.length === 0,
    `${load.served()} requests of dashboards answered, ${load.refused()} with 503, ${faults.length} failed${some}`,
  )
  await Promise.all(talkers.map((client) => client.stop()))
  await Promise.all(chats)
  const ended = talkers.filter(({ matches }) => matches.length !== 1)
  say(ended.length === 0, `${ended.length} of ${talkers.length} people lost their match`)
  const received = new Map(talkers.flatMap((client) => [...client.received]))
  const sent = talkers.flatMap(({ acknowledged }) => acknowledged.map(({ id }) => id))
  const lost = sent.filter((id) => !received.has(id))
  const twice = [...received.values()].filter((times) => times > 1)
  say(lost.length === 0, `${sent.length} messages: ${lost.length} lost`)
  // A client whose connection ends repeats what was not confirmed, with the same id; the page drops the second.
  console.log(`measured  ${twice.length} messages were repeated by their senders and came twice, with the same id`)
}

async function rehearseAt(site: Fleet, database: Client, refuse: () => Promise<void>): Promise<void> {
  const scene = await arrange(site)
  try {
    const before = await countRows(database)
    await replaceBoth(scene, database, refuse)
    await checkLosses(scene)
    const after = await countRows(database)
    const fewer = [...before].filter(([table, count]) => (after.get(table) ?? 0) < count)
    const names = fewer.map(([table, count]) => ` ${table}: ${count}, now ${after.get(table)}`)
    say(fewer.length === 0, `${before.size} tables before, ${after.size} now, none with fewer rows${names}`)
  } finally {
    for (const stop of scene.stops.reverse()) await stop()
  }
}

/**
 * Two servers of an earlier version, one PostgreSQL, one Redis, a balancer, people in calls, in the queue and on the dashboard: replaces one server after
 * the other by this version. Resolves with the exit code.
 */
export async function rehearseUpgrade(revision: string | undefined): Promise<number> {
  const { commit, folder } = earlierVersion(revision)
  console.log(`from      ${commit}`)
  const program = join(folder, NOW)
  const [postgres, redis] = [await startPostgres({ durable: true }), await startRedis()]
  const url = await newDatabase(postgres.port)
  const database = new Client({ connectionString: url })
  await database.connect()
  const logged = new Set<string>()
  const onLine = (line: string) => {
    if (line.includes('"level":50')) logged.add(line.replace(/"time":\d+,"pid":\d+,/, '').slice(0, 600))
  }
  const site = await startFleet(2, { database: url, redis: redis.url, env: SETTINGS, program, onLine })
  try {
    await rehearseAt(site, database, () =>
      expectRefusal(program, { ...SETTINGS, DATABASE_URL: url, REDIS_URL: redis.url }),
    )
  } finally {
    await site.stop()
    await database.end()
    await redis.stop()
    await postgres.stop()
    for (const line of logged) console.log(`log       ${line}`)
  }
  console.log(failed === 0 ? 'All went well.' : `${failed} steps failed.`)
  return failed === 0 ? 0 : 1
}
