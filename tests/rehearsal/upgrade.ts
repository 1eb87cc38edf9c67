import { join } from 'node:path'
import { Client } from 'pg'
import { startFleet } from '../support/fleet/many-servers.ts'
import { startHttpLoad } from '../support/servers/http-load.ts'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import { startRedis } from '../support/servers/redis.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { earlierVersion } from './earlier-version.ts'
import {
  type Chatter,
  callInBrowsers,
  chatClient,
  newPerson,
  picturesMove,
  untilAll,
  untilAllChat,
  writeToEachOther,
} from './upgrade-people.ts'

const TALKERS = 20
const DASHBOARDS = 3
/** The settings of servers behind a balancer that names addresses; two balancer checks fit into the drain. */
const SETTINGS = {
  TRUST_PROXY: '127.0.0.1,::1',
  DATABASE_POOL_SIZE: '8',
  DRAIN_MS: '1000',
  ADDRESS_REQUESTS_PER_MINUTE: '100000',
}

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

/** The number of rows of each table that has any. */
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

/**
 * Two servers of an earlier version, one PostgreSQL, one Redis, a balancer, people in calls, in the queue and on the dashboard: replaces one server after
 * the other by this version. Resolves with the exit code.
 */
export async function rehearseUpgrade(revision: string | undefined): Promise<number> {
  const { commit, folder } = earlierVersion(revision)
  console.log(`from      ${commit}`)
  const earlier = join(folder, 'server', 'main.ts')
  const [postgres, redis] = [await startPostgres({ durable: true }), await startRedis()]
  const url = await newDatabase(postgres.port)
  const database = new Client({ connectionString: url })
  await database.connect()
  const settings = { ...SETTINGS, LOG_LEVEL: 'warn' }
  const logged: string[] = []
  const onLine = (line: string) => {
    if (line.includes('"level":50')) logged.push(line)
  }
  const site = await startFleet(2, { database: url, redis: redis.url, env: settings, program: earlier, onLine })
  const stops: (() => Promise<unknown>)[] = []
  try {
    const talkers: Chatter[] = []
    for (let index = 0; index < TALKERS; index += 1)
      talkers.push(chatClient(site.origin, await newPerson(site, `talker-${index}`)))
    const waiting = [await newPerson(site, 'waiting-0'), await newPerson(site, 'waiting-1')]
    const onDashboard = []
    for (let index = 0; index < DASHBOARDS; index += 1) onDashboard.push(await newPerson(site, `dashboard-${index}`))

    // A report of the earlier version, after which the two who wait cannot be matched with each other.
    const parting = waiting.map((visitor) => chatClient(site.origin, visitor))
    for (const client of parting) await client.start()
    await untilAll(parting, 'matched', ({ session }) => session !== null)
    await parting[0]?.report()
    for (const client of parting) await client.stop()

    const { browser, callers } = await callInBrowsers(site)
    stops.push(() => browser.close())
    await writeToEachOther(callers, 'before')
    for (const client of talkers) {
      stops.push(() => client.stop())
      await client.start()
    }
    await untilAll(talkers, 'matched', ({ session }) => session !== null)
    const chats = talkers.map((client) => client.keepChatting())
    const waiters = waiting.map((visitor) => chatClient(site.origin, visitor))
    for (const client of waiters) {
      stops.push(() => client.stop())
      await client.start()
      await untilAll([client], 'in the queue', ({ joins }) => joins > 0)
    }
    /** Connects a newcomer through `at`, who must be matched with `waiter`. */
    async function meetInTurn(at: string, name: string, waiter: Chatter | undefined): Promise<Chatter> {
      const newcomer = chatClient(at, await newPerson(site, name))
      await newcomer.start()
      await untilAll([newcomer], 'matched', ({ session }) => session !== null)
      if (waiter) await untilAll([waiter], `matched with ${name}`, ({ session }) => session === newcomer.session)
      return newcomer
    }

    const load = startHttpLoad(site, onDashboard)
    stops.push(() => load.end())
    await untilAllChat(talkers)
    const [first, second] = [...site.servers]
    const rowsBefore = await countRows(database)

    await step('the first server is replaced; the other one serves while the tables are upgraded', async () => {
      if (first) await site.retire(first)
      await site.add('server/main.ts')
    })
    await step('both versions side by side: everybody who talks goes on', () => untilAllChat(talkers))
    await step('both versions side by side: the browsers go on and write', async () => {
      await picturesMove(callers)
      await writeToEachOther(callers, 'between')
    })
    await step(
      'people at servers of both versions meet who waited, the longest wait first; a report is kept',
      async () => {
        const before = (await countRows(database)).get('reports') ?? 0
        const newcomers = []
        for (const [index, { url: at }] of site.servers.entries())
          newcomers.push(await meetInTurn(at, `mixed-${index}`, waiters[index]))
        for (const client of [...newcomers, ...waiters])
          if ((await client.sendChat()) === null) throw new Error(`a message of ${client.name} was not delivered`)
        await newcomers[0]?.report()
        const reports = (await countRows(database)).get('reports')
        if (reports !== before + 1) throw new Error(`${reports} reports, ${before} before`)
        for (const [index, client] of newcomers.entries()) {
          const joins = waiters[index]?.joins ?? 0
          await client.stop()
          await untilAll(waiters.slice(index, index + 1), 'back in the queue', (one) => one.joins > joins)
        }
      },
    )
    await step('a server of the earlier version refuses to start on the new tables', async () => {
      const lines: string[] = []
      const going = startServerProcess(
        { ...settings, DATABASE_URL: url, REDIS_URL: redis.url },
        (line) => void lines.push(line),
        earlier,
      )
      const refused = await going.then(
        async (server) => {
          await server.stop()
          return false
        },
        () => true,
      )
      if (!refused) throw new Error('it started')
      console.log(`measured  it says: ${lines.join(' | ')}`)
    })
    await step('the second server is replaced', async () => {
      if (second) await site.retire(second)
      await site.add('server/main.ts')
    })
    await step('everybody who talks goes on', () => untilAllChat(talkers))
    await step('the browsers, with the page of the earlier version, go on and write', async () => {
      await picturesMove(callers)
      await writeToEachOther(callers, 'after')
    })
    await step('who waited longer is matched first, after two changes of the server', async () => {
      for (const [index, client] of waiters.entries()) {
        const newcomer = await meetInTurn(site.origin, `newcomer-${index}`, client)
        stops.push(() => newcomer.stop())
      }
    })
    await step('a reload brings the new page, with the login', async () => {
      for (const { page } of callers) {
        await page.goto('/')
        await page.getByRole('button', { name: 'Start video chat' }).waitFor()
      }
    })

    const faults = await load.end()
    say(
      faults.length === 0,
      `${load.served()} requests of dashboards answered, ${load.refused()} with 503, ${faults.length} failed ${JSON.stringify(faults.slice(0, 3))}`,
    )
    await Promise.all(talkers.map((client) => client.stop()))
    await Promise.all(chats)
    const ended = talkers.filter(({ matches }) => matches.length !== 1)
    say(ended.length === 0, `${ended.length} of ${TALKERS} people lost their match`)
    const received = new Map(talkers.flatMap((client) => [...client.received]))
    const sent = talkers.flatMap(({ acknowledged }) => acknowledged.map(({ id }) => id))
    const lost = sent.filter((id) => !received.has(id))
    const twice = [...received.values()].filter((times) => times > 1)
    say(
      lost.length + twice.length === 0,
      `${sent.length} messages: ${lost.length} lost, ${twice.length} delivered twice`,
    )
    const rowsAfter = await countRows(database)
    const fewer = [...rowsBefore].filter(([table, count]) => (rowsAfter.get(table) ?? 0) < count)
    say(
      fewer.length === 0,
      `no table has fewer rows than before ${fewer.map(([table, count]) => `${table}: ${count}, now ${rowsAfter.get(table)}`)}`,
    )
  } finally {
    for (const stop of stops.reverse()) await stop()
    await site.stop()
    await database.end()
    await redis.stop()
    await postgres.stop()
    for (const line of new Set(logged.map((one) => one.slice(0, 600)))) console.log(`log       ${line}`)
  }
  console.log(failed === 0 ? 'All went well.' : `${failed} steps failed.`)
  return failed === 0 ? 0 : 1
}
