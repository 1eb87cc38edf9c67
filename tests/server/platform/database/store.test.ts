import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import type { LogEntry } from '#protocol/log-entry.ts'
import type { RefreshToken } from '../../../../server/accounts/rules/login-ports.ts'
import type { Account } from '../../../../server/accounts/rules/ports.ts'
import { readConfig } from '../../../../server/config/config.ts'
import { createModeration } from '../../../../server/moderation/rules/moderation.ts'
import { confirmedCall } from '../../../support/stores/confirmed-call.ts'
import { putStatus } from '../../../support/stores/put-status.ts'
import { unusedToken, useOf } from '../../../support/stores/refresh-token.ts'
import { runStatements } from '../../../support/stores/run-statements.ts'
import { settledByAge } from '../../../support/stores/settled-people.ts'
import type { Store } from '../../../support/stores/store.ts'
import { openStore } from '../../../support/stores/store.ts'
import { backends, type StoreBackend } from '../../../support/stores/stores.ts'

test('a second server on the folder is refused in one line, and again after the first has gone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'store-test-'))
  const store = await openStore(folder, randomUUID)
  await expect(openStore(folder, randomUUID)).rejects.toThrow(`DATA_DIR ${folder} is used by another server`)
  await store.close()
  const next = await openStore(folder, randomUUID)
  await next.ping()
  await next.close()
  await rm(folder, { recursive: true })
})

describe.each(backends)('records in $name', ({ make }) => {
  let backend: StoreBackend
  let store: Store

  beforeEach(async () => {
    backend = await make()
    store = await backend.open()
  })
  afterEach(async () => {
    await store.close()
    await backend.remove()
  })

  function moderation(clock: { now: () => number }) {
    const { moderation: policy } = readConfig(settledByAge)
    return createModeration({
      ...store,
      clock,
      policy,
      digest: (text) => text,
      onChanged: () => undefined,
      onSuspended: () => undefined,
      sendEmail: false,
    })
  }

  async function reopen(): Promise<void> {
    await store.close()
    store = await backend.open()
  }

  function person(name: string, at = 1): Promise<Account> {
    const identity = { provider: 'Google' as const, subject: name, email: `${name}@example.org` }
    return store.accounts.signIn({ ...identity, firstName: name, lastName: 'NA' }, at)
  }

  const profile = {
    nickName: 'Zoë',
    gender: 'girl' as const,
    dateOfBirth: '1990-12-10',
    consentVersion: '1',
    consentAt: 5,
  }

  test('a row with a value that this version does not know is refused, not passed on', async () => {
    const { id } = await person('ada')
    await store.close()
    await runStatements(backend, [`update accounts set status = 'Paused' where id = '${id}'`])
    store = await backend.open()
    await expect(store.accounts.find(id)).rejects.toThrow(/Paused/)
  })

  test('a person is one account, and a new address replaces the old one', async () => {
    const first = await person('ada')
    await store.accounts.setNames(first.id, 'Ada', 'Lovelace')
    const identity = { provider: 'Google' as const, subject: 'ada', email: 'new@example.org' }
    const again = await store.accounts.signIn({ ...identity, firstName: 'NA', lastName: 'NA' }, 2)
    expect(again).toEqual({ ...first, firstName: 'Ada', lastName: 'Lovelace', email: 'new@example.org' })
    await reopen()
    expect(await store.accounts.find(first.id)).toEqual(again)
    expect(await store.accounts.find('nobody')).toBeNull()
  })

  test('a profile can change, but not its date of birth', async () => {
    const { id } = await person('ada')
    expect(await store.accounts.profile(id)).toBeNull()
    await store.accounts.saveProfile(id, profile, new Uint8Array([1]))
    await store.accounts.saveProfile(id, { ...profile, nickName: 'Ada', dateOfBirth: '2000-01-01' }, null)
    await reopen()
    expect(await store.accounts.profile(id)).toEqual({ ...profile, nickName: 'Ada', languages: [], interests: [] })
  })

  test('a status outlives the process', async () => {
    const { id } = await person('ada')
    await putStatus(store, await person('ada'), 'Appeal')
    await reopen()
    expect(await store.accounts.find(id)).toMatchObject({ status: 'Appeal' })
  })

  test('a session is entered and bound', async () => {
    const { id } = await person('ada')
    await store.loginSessions.create('s1', 1)
    expect(await store.loginSessions.find('s1')).toEqual({ id: 's1', accountId: null, entered: false, signedInAt: 1 })
    const entry = { UserSessionId: 's1', DeviceType: 'Web', UserAppRunOn: 'x', UserDeviceName: 'y' } as const
    await store.loginSessions.enter({ ...entry, UserDeviceOs: 'z', UserCity: 'NA', UserCountry: 'NA' }, 2)
    await store.logins.attach('s1', id, 3)
    await store.loginSessions.setLocation('s1', { city: 'NA', country: 'NA' })
    await store.loginSessions.setLocation('s1', { city: 'Bern', country: 'NA' })
    await reopen()
    expect(await store.loginSessions.find('s1')).toEqual({ id: 's1', accountId: id, entered: true, signedInAt: 3 })
    expect(await store.loginSessions.find('s2')).toBeNull()
  })

  test('of two rotations at once one wins, and an end of the family ends all of it', async () => {
    const { id } = await person('ada')
    const token = (digest: string): RefreshToken => ({
      digest,
      family: 'f',
      accountId: id,
      sessionId: 's',
      expiresAt: 1_000,
      ...unusedToken,
    })
    await store.loginSessions.open(token('one'), 5)
    const outcomes = await Promise.all(
      ['two', 'three'].map((next) => store.refreshTokens.rotate('one', useOf(`sealed ${next}`), token(next))),
    )
    expect([...outcomes].sort()).toEqual(['rotated', 'used'])
    const winner = outcomes[0] === 'rotated' ? 'two' : 'three'
    expect(await store.refreshTokens.find('one')).toEqual({
      ...token('one'),
      ...useOf(`sealed ${winner}`),
    })
    expect(await store.refreshTokens.find(winner)).toEqual(token(winner))
    expect(await store.refreshTokens.find(winner === 'two' ? 'three' : 'two')).toBeNull()
    await store.refreshTokens.revokeFamily('f')
    expect(await store.refreshTokens.find(winner)).toBeNull()
  })

  test('meetings and blocks count for both sides, once', async () => {
    const [ada, bob, eve] = await Promise.all(['ada', 'bob', 'eve'].map(person))
    if (!ada || !bob || !eve) throw new Error('the accounts are missing')
    await store.relations.recordMet(ada.id, bob.id, 1)
    await store.relations.recordMet(bob.id, ada.id, 2)
    await store.relations.block(ada.id, bob.id, 1)
    await store.relations.block(bob.id, ada.id, 1)
    await store.relations.block(eve.id, ada.id, 1)
    await reopen()
    expect(await store.relations.metBy(ada.id)).toEqual([bob.id])
    expect(await store.relations.metBy(bob.id)).toEqual([ada.id])
    expect(new Set(await store.relations.blockedWith(ada.id))).toEqual(new Set([bob.id, eve.id]))
    expect(await store.relations.blockedWith(bob.id)).toEqual([ada.id])
    expect(await store.relations.blockedWith(eve.id)).toEqual([ada.id])
  })

  test('of matches that are written together, one with an account that is gone fails alone', async () => {
    const [ada, bob] = await Promise.all(['ada', 'bob'].map(person))
    if (!ada || !bob) throw new Error('the accounts are missing')
    const callees = [bob.id, bob.id, bob.id, 'gone', bob.id]
    const match = (callee: string, index: number) => ({ id: `m${index}`, caller: ada.id, callee, startedAt: 1 })
    const outcomes = await Promise.allSettled(
      callees.map((callee, index) => store.matchRecords.open({ ...match(callee, index), connected: false })),
    )
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true])
    expect((await store.matchRecords.all()).map(({ id }) => id).sort()).toEqual(['m0', 'm1', 'm2', 'm4'])
  })

  test('confirmations that are written together keep their own times', async () => {
    const [ada, bob] = await Promise.all(['ada', 'bob'].map(person))
    if (!ada || !bob) throw new Error('the accounts are missing')
    const ids = ['m0', 'm1', 'm2', 'm3']
    const match = { caller: ada.id, callee: bob.id, startedAt: 1, connected: false }
    await Promise.all(ids.map((id) => store.matchRecords.open({ ...match, id })))
    await Promise.all(
      ids.flatMap((id, index) => [
        store.matchRecords.confirm(id, 'Caller', 10 + index),
        index === 2 ? null : store.matchRecords.confirm(id, 'Callee', 5_000_000_000_000 + index),
      ]),
    )
    const { times } = store.records((db) => ({
      times: {
        all: () => db.selectFrom('liveSessions').select(['callerSawAt', 'calleeSawAt']).orderBy('id').execute(),
      },
    }))
    expect((await times.all()).map(({ callerSawAt, calleeSawAt }) => [callerSawAt, calleeSawAt])).toEqual([
      [10, 5_000_000_000_000],
      [11, 5_000_000_000_001],
      [12, null],
      [13, 5_000_000_000_003],
    ])
  })

  test('a live session is found again after a restart until it is closed', async () => {
    const [ada, bob] = await Promise.all(['ada', 'bob'].map(person))
    if (!ada || !bob) throw new Error('the accounts are missing')
    const session = { id: 'm1', caller: ada.id, callee: bob.id, startedAt: 7, connected: false }
    await store.matchRecords.open(session)
    await store.matchRecords.confirm('m1', 'Caller', 9)
    await reopen()
    expect(await store.matchRecords.all()).toEqual([{ ...session, connected: true }])
    await store.matchRecords.close('m1', 9, null)
    expect(await store.matchRecords.all()).toEqual([])
  })

  test('a log batch with the same key is added once', async () => {
    const entry: LogEntry = {
      userSessionId: 's1',
      logMessage: 'x',
      logLevel: 'Info',
      platform: 'Web',
      dateTime: '2026-01-01T00:00:00Z',
    }
    const many = Array.from({ length: 1_000 }, () => entry)
    expect(await store.logs.add(many, 'k', 1)).toBe(true)
    expect(await store.logs.add(many, 'k', 1)).toBe(false)
    expect(await store.logs.add([{ ...entry, userSessionId: 's2' }], 'k', 1)).toBe(true)
    expect(await store.logs.add([entry], null, 1)).toBe(true)
    expect(await store.logs.add([entry], null, 1)).toBe(true)
    expect(await store.logs.add([], 'k2', 1)).toBe(true)
  })

  test('what the record of a match knows of confirmations counts for a report, and calls that lasted count for a reporter', async () => {
    const [ada, bob] = [await person('ada'), await person('bob')]
    const session = { id: 'm1', caller: ada.id, callee: bob.id, startedAt: 1_000, connected: false }
    await store.matchRecords.open(session)
    await store.matchRecords.confirm('m1', 'Callee', 1_500)
    expect((await store.matchRecords.all())[0]?.connected).toBe(false)
    // As from a server that took the match over and has heard neither side.
    const report = {
      session: 'm1',
      type: 'ReportOnly',
      callMs: 1,
      reporterSaw: false,
      reportedSaw: false,
      keptCalls: 3,
      settled: false,
      dueAt: null,
    } as const
    await store.reports.add({ ...report, reporter: ada.id, reported: bob.id, at: 2_000 })
    expect(await store.reports.open(bob.id, 0)).toMatchObject([{ reporterSaw: false, reportedSaw: true, keptCalls: 3 }])
    await store.matchRecords.confirm('m1', 'Caller', 2_500)
    expect((await store.matchRecords.all())[0]?.connected).toBe(true)
    await store.reports.add({ ...report, reporter: bob.id, reported: ada.id, at: 3_000 })
    expect(await store.reports.open(ada.id, 0)).toMatchObject([
      { reporterSaw: true, reportedSaw: true, earlierToday: 0 },
    ])

    const partners = async () => [...((await store.keptCalls.partnersOf([ada.id])).get(ada.id) ?? [])]
    expect([await partners(), await store.keptCalls.callers(9)]).toEqual([[], 0])
    await store.matchRecords.close('m1', 61_000, 1_200)
    expect(await partners()).toEqual([bob.id])
    expect([await store.keptCalls.callers(9), await store.keptCalls.callers(1)]).toEqual([2, 1])
    expect(await store.matchRecords.find('m1')).toMatchObject({ callFrom: 1_200 })
    // With the same person again, one that only one side confirmed, and one that was too short.
    await store.matchRecords.open({ ...session, id: 'm2' })
    for (const role of ['Caller', 'Callee'] as const) await store.matchRecords.confirm('m2', role, 1_500)
    await store.matchRecords.open({ ...session, id: 'm3', callee: (await person('eve')).id })
    await store.matchRecords.confirm('m3', 'Caller', 1_500)
    await store.matchRecords.open({ ...session, id: 'm4', callee: (await person('gus')).id })
    for (const role of ['Caller', 'Callee'] as const) await store.matchRecords.confirm('m4', role, 1_500)
    await store.matchRecords.close('m4', 60_999, null)
    for (const id of ['m2', 'm3']) await store.matchRecords.close(id, 90_000, null)
    expect(await partners()).toEqual([bob.id])
    expect(await store.matchRecords.find('m3')).toMatchObject({ callFrom: 1_000 })
  })

  test('distinct reporters within the window move somebody to Warning and to Appeal', async () => {
    const { accounts, relations } = store
    const day = DAY_MS
    const clock = { now: () => 100 * day, after: () => () => undefined }
    const { recordReport, judge } = moderation(clock)
    const bad = await person('bad')
    const statusNow = async () => (await accounts.find(bad.id))?.status
    let reporters = 0
    const report = async (name: string, session: string, daysAgo = 0) => {
      reporters += 1
      const reporter = (await person(name, reporters * day)).id
      const at = clock.now() - daysAgo * day
      const taken = await recordReport({
        session,
        reporter,
        reported: bad.id,
        type: 'ReportOnly',
        callMs: 60_000,
        ...confirmedCall,
        at,
      })
      await judge(bad.id)
      return taken
    }

    expect(await report('old', 's0', 31)).toBe(true)
    expect(await report('ada', 's1')).toBe(true)
    expect(await report('ada', 's1')).toBe(false)
    expect(await report('ada', 's2')).toBe(true)
    expect(await statusNow()).toBe('Valid')
    await report('bob', 's3')
    expect(await statusNow()).toBe('Warning')
    await report('carl', 's4', 29)
    expect(await statusNow()).toBe('Warning')
    await report('dora', 's5')
    expect(await statusNow()).toBe('Appeal')
    // Everybody who has reported somebody never meets them again.
    const all = await Promise.all(['old', 'ada', 'bob', 'carl', 'dora'].map(async (name) => (await person(name)).id))
    expect((await relations.blockedWith(bad.id)).sort()).toEqual(all.sort())
  })

  test('a report that also blocks keeps the two apart', async () => {
    const { relations } = store
    const { recordReport } = moderation({ now: () => 1 })
    const [ada, bad] = await Promise.all(['ada', 'bad'].map(person))
    if (!ada || !bad) throw new Error('the accounts are missing')
    await recordReport({
      session: 's',
      reporter: ada.id,
      reported: bad.id,
      type: 'BlockAndReport',
      callMs: null,
      ...confirmedCall,
      at: 1,
    })
    expect(await relations.blockedWith(bad.id)).toEqual([ada.id])
  })
})
