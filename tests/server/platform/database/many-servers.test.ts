import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { RefreshToken } from '../../../../server/accounts/rules/login-ports.ts'
import { newDatabase } from '../../../support/servers/postgres.ts'
import { confirmedCall } from '../../../support/stores/confirmed-call.ts'
import { migratedDatabase } from '../../../support/stores/migrated.ts'
import { putStatus } from '../../../support/stores/put-status.ts'
import { unusedToken, useOf } from '../../../support/stores/refresh-token.ts'
import type { Store } from '../../../support/stores/store.ts'
import { openDatabaseAt, postgresPort } from '../../../support/stores/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

/** Servers that share a database, and what they do at the same moment. */

async function newServers(
  count: number,
  makeDatabase: (port: number) => Promise<string> = migratedDatabase,
): Promise<{ url: string; servers: Store[] }> {
  const url = await makeDatabase(postgresPort())
  const servers = await Promise.all(Array.from({ length: count }, () => openDatabaseAt(url)))
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))))
  return { url, servers }
}

async function two() {
  const { url, servers } = await newServers(2)
  const [one, other] = servers
  if (!one || !other) throw new Error('there are not two servers')
  const person = (name: string) => {
    const identity = { provider: 'Google' as const, subject: name, email: `${name}@example.org` }
    return one.accounts.signIn({ ...identity, firstName: name, lastName: 'NA' }, 1)
  }
  return { url, one, other, person }
}

/** A connection beside the servers, which holds what a slow server would hold. */
async function slowServer(url: string) {
  const [slow, looks] = [new Client({ connectionString: url }), new Client({ connectionString: url })]
  await Promise.all([slow.connect(), looks.connect()])
  onTestFinished(async () => void (await Promise.all([slow.end(), looks.end()])))
  const waitingNow = `select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return {
    do: (statement: string, values: string[] = []) => slow.query(statement, values),
    /** Resolves when as many statements wait for what somebody holds. */
    keepsWaiting: (statements: number) =>
      expect.poll(async () => (await looks.query(waitingNow)).rows[0]?.waiting).toBe(statements),
  }
}

const token = (digest: string, accountId: string): RefreshToken => ({
  digest,
  family: 'f',
  accountId,
  sessionId: 's',
  expiresAt: 1_000,
  ...unusedToken,
})

test('ten servers start at once on an empty database', async () => {
  const { servers } = await newServers(10, newDatabase)
  await Promise.all(servers.map((server) => server.ping()))
  const [first] = servers
  const secrets = await Promise.all(servers.map((server) => server.sharedSecrets.keep('secrets', randomUUID())))
  expect(new Set(secrets)).toEqual(new Set([await first?.sharedSecrets.keep('secrets', 'late')]))
})

test('of rotations of one token on two servers one wins', async () => {
  const { one, other, person } = await two()
  const { id } = await person('ada')
  await one.loginSessions.open(token('first', id), 1)
  const outcomes = await Promise.all(
    [one, other, one, other].map((server, n) =>
      server.refreshTokens.rotate('first', useOf(`s${n}`), token(`n${n}`, id)),
    ),
  )
  expect(outcomes.sort()).toEqual(['rotated', 'used', 'used', 'used'])
})

test.each([
  ['the end of a family', (store: Store) => store.refreshTokens.revokeFamily('f')],
  ['a logout', (store: Store, id: string) => store.loginSessions.end('s', id)],
])('%s also ends the token that a rotation on another server is just adding', async (_what, end) => {
  const { url, one, person } = await two()
  const { id } = await person('ada')
  await one.logins.addToken(token('first', id))
  const slow = await slowServer(url)
  await slow.do('begin')
  await slow.do("update refresh_tokens set used_at = 5 where digest = 'first'")
  await slow.do(`insert into refresh_tokens values ('second', 'f', $1, 's', 1000, null, null)`, [id])
  const ended = end(one, id)
  await slow.keepsWaiting(1)
  await slow.do('commit')
  await ended
  expect(await one.refreshTokens.find('second')).toBeNull()
})

test('a session is reported once, an appeal and a decision are taken once, on whichever server they come', async () => {
  const { one, other, person } = await two()
  const [ada, bad] = await Promise.all(['ada', 'bad'].map(person))
  if (!ada || !bad) throw new Error('the accounts are missing')
  const report = {
    session: 's',
    reporter: ada.id,
    reported: bad.id,
    type: 'ReportOnly',
    callMs: 1,
    ...confirmedCall,
    at: 1,
  } as const
  const taken = await Promise.all([one, other, one, other].map((server) => server.reports.add(report)))
  expect(taken.filter(Boolean)).toHaveLength(1)

  await putStatus(one, bad, 'Appeal')
  const effects = { closes: null, notice: null, sendEmail: false, person: 'p', mailbox: 'm', signalsUntil: 0 }
  const why = { what: 'reports', rule: 'guidelines', reason: 'test', at: 2, until: null } as const
  const appeal = {
    accountId: bad.id,
    from: 'Appeal',
    to: 'InReview',
    by: { kind: 'user', id: bad.id },
    ...why,
  } as const
  const appeals = await Promise.all([one, other, one, other].map((server) => server.cases.change(appeal, effects)))
  expect(appeals.filter(Boolean)).toHaveLength(1)

  const decide = (to: 'Blocked' | 'Valid') =>
    ({ accountId: bad.id, from: 'InReview', to, by: { kind: 'moderator', id: 'mo' }, ...why }) as const
  const decisions = await Promise.all([
    one.cases.change(decide('Blocked'), { ...effects, closes: 'upheld', notice: 'suspended' }),
    other.cases.change(decide('Valid'), { ...effects, closes: 'dismissed', notice: 'restored' }),
  ])
  expect(decisions.filter(Boolean)).toHaveLength(1)
  const [last] = await one.cases.history(bad.id)
  expect((await other.accounts.find(bad.id))?.status).toBe(last?.to)
  expect(await other.risks.findBan('p', 'm')).toBe(last?.to === 'Blocked' ? 'guidelines' : null)
})

test('a letter is in the hands of one server', async () => {
  const { one, other, person } = await two()
  const { id } = await person('ada')
  const change = { accountId: id, from: 'Valid', to: 'Appeal', by: { kind: 'policy', id: null }, at: 1 } as const
  const why = { what: 'reports', rule: 'guidelines', reason: 'test', until: null } as const
  const effects = {
    closes: null,
    notice: 'suspended',
    sendEmail: true,
    person: 'p',
    mailbox: 'm',
    signalsUntil: 0,
  } as const
  await one.cases.change({ ...change, ...why }, effects)
  const [email] = await other.outbox.due(1)
  const took = await Promise.all([one, other, one].map((server) => server.outbox.reserve(email?.id ?? '', 1, 100)))
  expect(took.filter(Boolean)).toHaveLength(1)
  expect(await other.outbox.due(99)).toEqual([])
  expect(await other.outbox.due(100)).toHaveLength(1)
})

test('two pictures of one person for one report, linked on two servers at once, leave one', async () => {
  const { url, one, other, person } = await two()
  const [ada, bad] = await Promise.all(['ada', 'bad'].map(person))
  if (!ada || !bad) throw new Error('the accounts are missing')
  await one.reports.add({
    session: 'm',
    reporter: ada.id,
    reported: bad.id,
    type: 'ReportOnly',
    callMs: 1,
    ...confirmedCall,
    at: 1,
  })
  const sealed = {
    userSession: 'u',
    sha256: 'x',
    print: null,
    at: 1,
    keyId: 'k',
    signature: 's',
    sealed: new Uint8Array([1, 0, 255]),
  }
  const waits = { kind: 'waiting', uploader: ada.id, subject: ada.id, session: 'm', reporter: null, ...sealed } as const
  const linked = { ...waits, kind: 'reporters-view', subject: bad.id, reporter: ada.id } as const
  await one.evidence.add({ ...waits, id: 'e1' })
  await one.evidence.add({ ...waits, id: 'e2' })
  // Both have begun before either has ended.
  const slow = await slowServer(url)
  await slow.do('begin')
  await slow.do('select 1 from evidence for update')
  await slow.do('select 1 from reports for update')
  const both = Promise.all([one.evidence.link({ ...linked, id: 'e1' }), other.evidence.link({ ...linked, id: 'e2' })])
  await slow.keepsWaiting(2)
  await slow.do('commit')
  await both
  const kept = await one.evidence.list({ session: 'm' })
  expect(kept).toHaveLength(1)
  expect((await other.evidence.find(kept[0]?.id ?? ''))?.sealed).toEqual(sealed.sealed)
})

test('what a deadlock undid is carried out again', async () => {
  const { url, one, person } = await two()
  const [ada, bad] = await Promise.all(['ada', 'bad'].map(person))
  if (!ada || !bad) throw new Error('the accounts are missing')
  await one.reports.add({
    session: 's',
    reporter: ada.id,
    reported: bad.id,
    type: 'ReportOnly',
    callMs: null,
    ...confirmedCall,
    at: 1,
  })
  await one.findings.add(bad.id, { session: 's', label: 'Porn', score: 0.9, at: 1 })
  const slow = await slowServer(url)
  // Never the one to find out, and so never the one that is undone.
  await slow.do("set deadlock_timeout = '1h'")
  await slow.do('begin')
  await slow.do('select 1 from findings for update')
  const closed = one.cases.close(bad.id, 'upheld', 2)
  await slow.keepsWaiting(1)
  await slow.do('select 1 from reports for update')
  await slow.do('commit')
  await closed
  expect(await one.reports.open(bad.id, 0)).toEqual([])
  expect(await one.findings.count(bad.id, 0, 0)).toBe(0)
})

test('two wishes of one person for deletion, on two servers at once, are one', async () => {
  const { url, one, other, person } = await two()
  const { id } = await person('ada')
  const slow = await slowServer(url)
  // Both have begun before either has ended.
  await slow.do('begin')
  await slow.do('select 1 from accounts for update')
  const wish = (server: Store, at: number, digest: string) =>
    server.deletions.request(id, 'user', { requestedAt: at, startAt: at + 1, dueAt: at + 2 }, { digest, proof: digest })
  const both = Promise.all([wish(one, 10, 'c1'), wish(other, 20, 'c2')])
  await slow.keepsWaiting(2)
  await slow.do('commit')
  const [first, second] = await both
  expect(first).toEqual(second)
  expect(await Promise.all(['c1', 'c2'].map((digest) => one.deletions.stateOf(digest)))).toEqual(['waiting', 'waiting'])
  expect(await one.deletions.cancel(id, 30)).toBe(true)
  expect(await other.deletions.pending(id)).toBeNull()
})

test('a person is erased once, whichever servers carry it out, and not while a hold is just being set', async () => {
  const { url, one, other, person } = await two()
  const [ada, bob] = await Promise.all(['ada', 'bob'].map(person))
  if (!ada || !bob) throw new Error('the accounts are missing')
  const times = { requestedAt: 1, startAt: 2, dueAt: 3 }
  for (const { id } of [ada, bob]) await one.deletions.request(id, 'user', times, null)
  const erased = await Promise.all([one, other, one, other].map((server) => server.deletions.erase(ada.id, 2)))
  expect(erased.filter(Boolean)).toHaveLength(1)

  const slow = await slowServer(url)
  await slow.do('begin')
  await slow.do("insert into legal_holds values ($1, 'r', 's', 1)", [bob.id])
  const tried = expect(one.deletions.erase(bob.id, 2)).rejects.toThrow()
  await slow.keepsWaiting(1)
  await slow.do('commit')
  await tried
  expect(await other.accounts.find(bob.id)).not.toBeNull()
  expect((await other.deletions.pending(bob.id))?.state).toBe('held')
})

test('of two moderators who decide a case on two servers one is first', async () => {
  const { one, other, person } = await two()
  const { id } = await person('bad')
  for (const decided of [0, 1]) {
    const claims = await Promise.all([one, other, one].map((server) => server.desk.claim(id, decided)))
    expect(claims.filter(Boolean)).toHaveLength(1)
  }
  const moderator = {
    id: 'mo',
    name: 'mia',
    password: 'p',
    totpSecret: 's',
    totpStep: 0,
    createdAt: 1,
    disabledAt: null,
  }
  await one.moderators.add(moderator)
  const codes = await Promise.all([one, other, one].map((server) => server.moderators.consumeTotpStep('mo', 7)))
  expect(codes.filter(Boolean)).toHaveLength(1)
})

test('what is old goes once, however many servers clean up at the same time', async () => {
  const { servers } = await newServers(4)
  const [one] = servers
  if (!one) throw new Error('there is no server')
  const entry = { userSessionId: 's', logMessage: 'x', logLevel: 'Info', platform: 'Web', dateTime: 'x' } as const
  await one.logs.add(
    Array.from({ length: 500 }, () => entry),
    'k',
    1,
  )
  const removed = await Promise.all(servers.map((server) => server.expiry.remove('log-entries', 2, 200)))
  const rest = await one.expiry.remove('log-entries', 2, 1_000)
  expect(removed.reduce((sum, count) => sum + count, rest)).toBe(500)
})

test('a server that is older than the records says so in one line', async () => {
  const { url } = await two()
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query("insert into kysely_migration values ('999-later', now())")
  await client.end()
  await expect(openDatabaseAt(url)).rejects.toThrow('The records were brought up to date by a newer version')
})

test('what waits too long for another server, or for a connection of its own, is given up, and everything goes on after it', async () => {
  const url = await migratedDatabase(postgresPort())
  const patient = await openDatabaseAt(url)
  onTestFinished(() => patient.close())
  const identity = { provider: 'Google', subject: 'ada', email: 'ada@example.org' } as const
  const { id } = await patient.accounts.signIn({ ...identity, firstName: 'Ada', lastName: 'NA' }, 1)
  // On a busy machine whatever it does may take too long, so it tries again.
  const store = await waitFor(() => openDatabaseAt(url, { timeoutMs: 1_000 }))
  onTestFinished(() => store.close())
  const slow = await slowServer(url)
  await slow.do('begin')
  await slow.do('select 1 from accounts for update')
  // Two more than there are connections.
  const waiting = Array.from({ length: 6 }, (_, n) => store.accounts.setNames(id, `name ${n}`, 'NA'))
  const outcomes = await Promise.allSettled(waiting)
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  await slow.do('commit')
  await waitFor(() => store.accounts.setNames(id, 'Grace', 'NA'))
  expect((await patient.accounts.find(id))?.firstName).toBe('Grace')
})

test('text that PostgreSQL cannot keep is kept without what it cannot', async () => {
  const { one, person } = await two()
  const { id } = await person('a\0da')
  expect(await person('a\0da')).toMatchObject({ id, firstName: 'a\ufffdda' })
  const entry = {
    userSessionId: 's',
    logMessage: '\0\ud800',
    logLevel: 'Info',
    platform: 'Web',
    dateTime: 'x',
  } as const
  expect(await one.logs.add([entry], null, 1)).toBe(true)
})
