import { randomUUID } from 'node:crypto'
import { newDatabase, startPostgres } from '../support/servers/postgres.ts'
import type { Store } from '../support/stores/store.ts'
import { openSharedStore } from '../support/stores/store.ts'
import { processorTimes } from './processor-times.ts'

const PEOPLE = 400
const MATCHES = 4_000
const PICTURES = 4_000
const LOGINS = 10_000
const IN_BATCHES = 100_000
const BATCH = 100
/** As many as a server has connections to its database. */
const AT_ONCE = 10

export type Statements = {
  what: string
  perSecond: number
  /** Milliseconds of PostgreSQL's processors, and of the server's, for one. */
  database: number
  server: number
}

async function measure(
  what: string,
  count: number,
  each: number,
  task: (index: number) => Promise<void>,
): Promise<Statements> {
  const [before, startedAt] = [processorTimes(), performance.now()]
  const numbers = Array.from({ length: count / each }).keys()
  const lane = async () => {
    for (const index of numbers) await task(index)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  const [after, seconds] = [processorTimes(), (performance.now() - startedAt) / 1_000]
  const spent = (name: string) => (((after[name] ?? 0) - (before[name] ?? 0)) * 1_000) / count
  return { what, perSecond: count / seconds, database: spent('PostgreSQL'), server: spent('people') }
}

async function personIn(store: Store, index: number): Promise<string> {
  const names = { firstName: 'Ada', lastName: 'NA' }
  const email = `p${index}@example.org`
  const { id } = await store.accounts.signIn({ provider: 'Google', subject: `${index}`, email, ...names }, 1)
  const profile = {
    nickName: 'Ada',
    gender: 'others',
    dateOfBirth: '1990-01-01',
    consentVersion: '1',
    consentAt: 1,
  } as const
  await store.accounts.saveProfile(id, profile, null)
  await store.loginSessions.create(`s${index}`, 1)
  await store.logins.attach(`s${index}`, id, 1)
  return id
}

/** The statements of one match alone, from both joins to its end: ten reads and four writes, in the order of the hub. Matches at the same time share some. */
export const STATEMENTS_OF_A_MATCH = 14
export const WRITES_OF_A_MATCH = 4

async function match({ accounts, relations, matchRecords }: Store, caller: string, callee: string): Promise<void> {
  const join = (account: string) =>
    Promise.all([accounts.admission(account), relations.blockedWith(account), relations.metBy(account)])
  await Promise.all([join(caller), join(callee)])
  const [id, startedAt] = [randomUUID(), Date.now()]
  await Promise.all([
    relations.recordMet(caller, callee, startedAt),
    matchRecords.open({ id, caller, callee, startedAt, connected: false }),
  ])
  await Promise.all([accounts.profile(caller), accounts.profile(callee)])
  await matchRecords.confirm(id, 'Caller', 9)
  await matchRecords.close(id, startedAt, null)
}

/** The product's own statements against one PostgreSQL that keeps its promises to the disk. */
export async function benchStatements(): Promise<Statements[]> {
  const postgres = await startPostgres({ durable: true })
  const url = await newDatabase(postgres.port)
  const store = await openSharedStore({ url, poolSize: AT_ONCE, timeoutMs: 10_000 }, randomUUID)
  try {
    const people: string[] = []
    for (let index = 0; index < PEOPLE; index += 1) people.push(await personIn(store, index))
    const person = (index: number) => people[index % PEOPLE] ?? ''
    const picture = (index: number) => ({
      accountId: person(index),
      sessionId: 's1',
      kind: 'dashboard' as const,
      bytes: 50_000,
      width: 640,
      height: 480,
      at: index,
    })
    const pictures = (from: number, count: number) => Array.from({ length: count }, (_, index) => picture(from + index))
    return [
      await measure('matches from join to end', MATCHES, 1, (index) =>
        match(store, person(2 * index), person(2 * index + 1)),
      ),
      await measure('checks of a login, two readings each', LOGINS, 1, async (index) => {
        await Promise.all([store.accounts.find(person(index)), store.loginSessions.find(`s${index % PEOPLE}`)])
      }),
      await measure('metadata of pictures, one a write', PICTURES, 1, (index) => store.frames.record([picture(index)])),
      await measure(`metadata of pictures, ${BATCH} a write`, IN_BATCHES, BATCH, (index) =>
        store.frames.record(pictures(index * BATCH, BATCH)),
      ),
    ]
  } finally {
    await store.close()
    await postgres.stop()
  }
}
