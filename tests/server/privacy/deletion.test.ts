import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { addBusinessDays } from '../../../server/privacy/rules/business-days.ts'
import { officialClientWith } from '../../support/hub/hub-test.ts'
import { type MovableClock, movableClock } from '../../support/movable-clock.ts'
import {
  identityToken,
  type SignedInVisitor,
  signIn,
  startServer,
  type TestServer,
} from '../../support/servers/server.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'
import type { Store } from '../../support/stores/store.ts'

let clock: MovableClock
let server: TestServer
let ada: SignedInVisitor

beforeEach(async () => {
  clock = movableClock()
  server = await startServer({ HOUSEKEEPING_MS: '20', CLIENT_LOGS: 'Info' }, { clock })
  ada = await signIn(server, { email: 'ada@example.org' })
})
afterEach(() => server.stop())

const again = () => signIn(server, { email: 'ada@example.org', profile: false })
const deletionOf = async (visitor: SignedInVisitor) => (await visitor.request('readDeletion', undefined)).deletion
const hubToken = (visitor: SignedInVisitor) => visitor.send('readHubToken', { userSessionId: visitor.sessionId })

/** The records of Ada's first account; a sign-in creates a new account, so this reads what only the old one had. */
async function look<T>(read: (store: Store) => Promise<T>): Promise<T> {
  let found: { value: T } | null = null
  await server.edit(async (store) => {
    found = { value: await read(store) }
  })
  if (!found) throw new Error('the records were not read')
  return (found as { value: T }).value
}

const accountOfAda = () => look((store) => store.personalData.accountOf('Google', 'ada@example.org'))

/** Resolves after a complete run of the housekeeping that began after this. */
async function erased(): Promise<void> {
  await expect.poll(async () => (await ada.send('readDeletion', undefined)).status).toBe(401)
}

test('a deletion request has a due date and ends every login at once, in every browser', async () => {
  const elsewhere = await signIn(server, { email: 'ada@example.org' })
  const bob = await signIn(server, { email: 'bob@example.org' })
  clock.forward(1)
  const now = clock.now()
  expect(await ada.request('deleteData', undefined)).toEqual({
    state: 'waiting',
    requestedAt: now,
    startAt: now + 3 * DAY_MS,
    dueAt: addBusinessDays(now, 7),
  })
  expect([...ada.cookies.keys()]).toEqual(['session'])
  expect((await elsewhere.send('validateAccessToken', undefined)).status).toBe(401)
  expect((await elsewhere.send('refreshAccessToken', undefined)).status).toBe(401)
  expect((await bob.send('validateAccessToken', undefined)).status).toBe(200)
})

test('after a new sign-in the user sees the pending deletion, cannot chat, can export data, and can cancel it', async () => {
  await ada.request('deleteData', undefined)
  clock.forward(1)
  const back = await again()
  const deletion = await deletionOf(back)
  expect(deletion).toMatchObject({ state: 'waiting', requestedAt: clock.now() - 1 })
  expect((await hubToken(back)).status).toBe(409)
  expect((await back.request('exportData', undefined)).deletions).toMatchObject([{ state: 'waiting' }])
  // A repeated request does not change the date.
  clock.forward(DAY_MS)
  const third = await again()
  expect(await third.request('deleteData', undefined)).toEqual(deletion)
  clock.forward(1)

  const fourth = await again()
  expect(await fourth.request('keepData', undefined)).toEqual({ message: 'Valid' })
  expect(await fourth.request('keepData', undefined)).toEqual({ message: 'Valid' })
  expect(await deletionOf(fourth)).toBeNull()
  expect((await hubToken(fourth)).status).toBe(200)
  const kept = await accountOfAda()
  clock.forward(30 * DAY_MS)
  await server.restart()
  expect(await accountOfAda()).toBe(kept)
})

test('a deletion that is due is carried out before its promised date, and nothing is left', async () => {
  const bob = await signIn(server, { email: 'bob@example.org' })
  const place = { IpAddress: '192.0.2.77', HostName: 'NA', City: 'Bern', Country: 'CH', Coordinates: 'NA' }
  await ada.request('addIp', { UserSessionId: ada.sessionId, ...place })
  const line = { logLevel: 'Info', platform: 'Web', dateTime: '2026-11-21T08:00:00Z', logMessage: 'x' } as const
  await ada.request('addLogs', [{ ...line, userSessionId: ada.sessionId }])
  const people = await look(async (store) => {
    const me = await store.personalData.accountOf('Google', 'ada@example.org')
    const peer = await store.personalData.accountOf('Google', 'bob@example.org')
    if (me === null || peer === null) throw new Error('the accounts are missing')
    const now = clock.now()
    await store.relations.recordMet(me, peer, now)
    await store.relations.block(peer, me, now)
    await store.reports.add({
      session: 'm',
      reporter: me,
      reported: peer,
      type: 'ReportOnly',
      callMs: null,
      ...confirmedCall,
      at: now,
    })
    await store.reports.add({
      session: 'm',
      reporter: peer,
      reported: me,
      type: 'ReportOnly',
      callMs: null,
      ...confirmedCall,
      at: now,
    })
    await putStatus(store, await accountOf(store, 'ada@example.org'), 'Blocked')
    await store.matchRecords.open({ id: 'm', caller: me, callee: peer, startedAt: now, connected: true })
    await store.frames.record([{ ...frame, accountId: me, sessionId: ada.sessionId, at: now }])
    return { me, peer }
  })
  const { dueAt } = await ada.request('deleteData', undefined)
  clock.forward(3 * DAY_MS - 1)
  const early = await again()
  expect(await deletionOf(early)).toMatchObject({ state: 'waiting' })
  clock.forward(2)
  ada = early
  await erased()
  expect(clock.now()).toBeLessThan(dueAt)

  const left = await look(async (store) => ({
    account: await store.accounts.find(people.me),
    profile: await store.accounts.profile(people.me),
    session: await store.loginSessions.find(ada.sessionId),
    met: await store.relations.metBy(people.peer),
    blocked: await store.relations.blockedWith(people.peer),
    reports: await store.reports.open(people.peer, 0),
    calls: await store.matchRecords.all(),
    data: await store.personalData.of(people.me, 0, String),
    lines: await store.expiry.remove('log-entries', Number.MAX_SAFE_INTEGER, 10),
    wishes: await store.deletions.ready(Number.MAX_SAFE_INTEGER, 10),
  }))
  expect(left).toEqual({
    account: null,
    profile: null,
    session: null,
    met: [],
    blocked: [],
    reports: [],
    calls: [],
    data: null,
    lines: 0,
    wishes: [],
  })
  // The other user's own records are complete.
  await bob.request('refreshAccessToken', undefined)
  await bob.request('signInAgain', { source: 'Google', sourceAccessToken: await identityToken(bob, bob) })
  expect((await bob.request('exportData', undefined)).account.email).toBe('bob@example.org')
})

const frame = { kind: 'dashboard', bytes: 1, width: 1, height: 1 } as const

test('a legal hold keeps the data: nothing is deleted, the user cannot chat and sees it, and its end lets the deletion go on', async () => {
  const me = await accountOfAda()
  const hold = { accountId: me ?? '', reason: 'Case 7', setBy: 'operator', at: clock.now() }
  await server.edit((store) => store.legalHolds.set(hold))
  await ada.request('deleteData', undefined)
  clock.forward(30 * DAY_MS)
  // A run is over when another account, without a hold, is deleted.
  const bob = await signIn(server, { email: 'bob@example.org' })
  await bob.request('deleteData', undefined)
  clock.forward(4 * DAY_MS)
  await expect.poll(() => look((store) => store.personalData.accountOf('Google', 'bob@example.org'))).toBeNull()
  const back = await again()
  expect(await deletionOf(back)).toMatchObject({ state: 'held' })
  expect((await back.send('keepData', undefined)).status).toBe(409)
  expect((await hubToken(back)).status).toBe(409)
  expect(await accountOfAda()).toBe(me)
  ada = back
  await server.edit(async (store) => {
    expect(await store.legalHolds.all()).toEqual([hold])
    expect(await store.legalHolds.release(me ?? '')).toBe(true)
    expect(await store.legalHolds.release(me ?? '')).toBe(false)
  })
  await erased()
})

test('a legal hold without a deletion request changes nothing for the user', async () => {
  const me = (await accountOfAda()) ?? ''
  await server.edit((store) => store.legalHolds.set({ accountId: me, reason: 'Case 7', setBy: 'x', at: 1 }))
  expect((await hubToken(ada)).status).toBe(200)
  expect(await ada.request('readDeletion', undefined)).toEqual({ deletion: null, delayDays: 3 })
})

test('the hub closes all connections of the user at once and refuses an earlier hub token', async () => {
  const { hubConnectionAccessToken: token } = await ada.request('readHubToken', { userSessionId: ada.sessionId })
  const client = officialClientWith(`${server.origin}/chathub?userSessionId=${ada.sessionId}`, async () => token)
  const closed = new Promise<void>((resolve) => client.onclose(() => resolve()))
  await client.start()
  clock.forward(1)
  await ada.request('deleteData', undefined)
  await closed
  const response = await fetch(`${server.origin}/chathub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers: { origin: server.origin, authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(401)
})
