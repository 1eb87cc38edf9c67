import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { incidentTypeSchema } from '#protocol/console-preservations.ts'
import { DAY_MS } from '#protocol/durations.ts'
import type { LogEntry } from '#protocol/log-entry.ts'
import { createDeletionService } from '../../../server/privacy/rules/deletion.ts'
import { createHousekeeping, type HousekeepingDeps } from '../../../server/privacy/rules/housekeeping.ts'
import { keptByFeatures, keptUntilOld } from '../../../server/privacy/rules/retention.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'
import { unusedToken } from '../../support/stores/refresh-token.ts'
import type { Store } from '../../support/stores/store.ts'
import { backends, type StoreBackend } from '../../support/stores/stores.ts'

describe.each(backends)('the records in $name', ({ make }) => {
  let backend: StoreBackend
  let store: Store
  let ada: string
  let bob: string

  async function open(): Promise<void> {
    backend = await make()
    store = await backend.open()
    ada = await person('ada')
    bob = await person('bob')
  }
  async function close(): Promise<void> {
    await store.close()
    await backend.remove()
  }

  const accountNamed = (name: string) => accountOf(store, `${name}@example.org`)
  const person = async (name: string) => (await accountNamed(name)).id

  const entry = (session: string): LogEntry => ({
    userSessionId: session,
    logMessage: 'x',
    logLevel: 'Info',
    platform: 'Web',
    dateTime: '2026-01-01T00:00:00Z',
  })
  const entered = (id: string) =>
    ({
      UserSessionId: id,
      DeviceType: 'Web',
      UserAppRunOn: 'x',
      UserDeviceName: 'x',
      UserDeviceOs: 'x',
      UserCity: 'NA',
      UserCountry: 'NA',
    }) as const
  const token = (digest: string, sessionId: string, expiresAt: number) => ({
    digest,
    family: digest,
    accountId: ada,
    sessionId,
    expiresAt,
    ...unusedToken,
  })
  const stay = {
    from: 1_000,
    at: 1_000,
    expected: 1,
    came: 1,
    black: 0,
    changed: 0,
    longestGapMs: 0,
    sameFrameRepeated: 1,
    suspicious: 0,
  }
  const picture = {
    id: 'e',
    kind: 'reporters-view',
    session: 'm',
    reporter: 'somebody',
    userSession: 'u',
    sha256: 'x',
    print: null,
    at: 1_000,
    keyId: 'k',
    signature: 's',
    sealed: new Uint8Array([1]),
  } as const
  const town = { city: 'NA', country: 'NA' }

  /** Writes one record of every kind at the time `at`. */
  async function fill(at: number): Promise<void> {
    const id = `s${at}`
    await store.loginSessions.create(`un${id}`, at)
    await store.loginSessions.create(`an${id}`, at)
    await store.loginSessions.enter(entered(`an${id}`), at)
    await store.loginSessions.create(id, at)
    await store.loginSessions.enter(entered(id), at)
    await store.logins.attach(id, ada, at)
    await store.loginSessions.setLocation(id, town)
    await store.logs.add([entry(id)], `key-${at}`, at)
    await store.frames.record([
      {
        accountId: ada,
        sessionId: id,
        kind: 'dashboard',
        bytes: 1,
        width: 1,
        height: 1,
        at,
      },
    ])
    await store.matchRecords.open({ id: `m${at}`, caller: ada, callee: bob, startedAt: at, connected: true })
    await store.matchRecords.close(`m${at}`, at, null)
    await store.logins.addToken(token(`t${at}`, 'other', at))
    await store.reports.add({
      session: `m${at}`,
      reporter: ada,
      reported: bob,
      type: 'ReportOnly',
      callMs: null,
      ...confirmedCall,
      at,
    })
    const other = await person(`met-at-${at}`)
    await store.relations.recordMet(ada, other, at)
    const judged = await accountNamed(`judged-at-${at}`)
    await store.reports.add({
      session: `d${at}`,
      reporter: ada,
      reported: judged.id,
      type: 'BlockAndReport',
      callMs: 1,
      ...confirmedCall,
      at,
    })
    await store.findings.add(ada, { session: id, label: 'Porn', score: 0.9, at })
    await store.cases.close(judged.id, 'upheld', at)
    const effects = {
      closes: null,
      notice: 'restored',
      sendEmail: true,
      person: 'x',
      mailbox: 'y',
      signalsUntil: 0,
    } as const
    const again = {
      from: 'Valid',
      to: 'Valid',
      what: 'moderator',
      rule: 'guidelines',
      reason: 'x',
      at,
      until: null,
    } as const
    await store.cases.change({ ...again, accountId: ada, by: { kind: 'moderator', id: null } }, effects)
    await store.desk.record({
      moderator: 'mo',
      verdict: 'dismiss',
      rule: 'guidelines',
      upheld: false,
      openedAt: null,
      at,
    })
    await store.contentNotices.add({
      id: `n${at}`,
      reference: `R${at}`,
      requestKey: `k${at}`,
      kind: 'impersonation',
      email: 'zoe@example.org',
      language: 'en',
      day: '2026-01-01',
      time: null,
      description: 'x',
      link: null,
      signature: null,
      isGoodFaith: false,
      at: 1,
      dueAt: 2,
    })
    await store.contentNotices.answer(`n${at}`, { outcome: 'acted', text: 'x', at, moderator: 'mo' }, null)
    await store.preservations.add({
      ...{ id: `v${at}`, receipt: `V${at}`, caseId: ada, incidentType: incidentTypeSchema.options[0] },
      ...{ openedBy: 'mo', openedAt: 1, confirmedBy: null, confirmedAt: null, sentBy: null, sentAt: null },
      ...{ authority: null, authorityReference: null, keptFrom: at, keyId: 'k', sealed: new Uint8Array([1]) },
    })
    await store.audit.add({ at, moderator: 'mo', session: null, action: 'look', whom: ada, what: 'case' })
    const kept = { status: 'Appeal', what: 'reports', rule: 'guidelines', until: at, reports: 0, findings: 0 } as const
    await store.keptCases.keep({ ...kept, person: `person ${at}`, at: 1, expiresAt: at })
    const gone = await accountNamed(`gone-at-${at}`)
    const wrong = { session: `g${at}`, reporter: ada, reported: gone.id, type: 'ReportOnly', callMs: 1 } as const
    await store.reports.add({ ...wrong, ...confirmedCall, at })
    await store.cases.close(gone.id, 'dismissed', at)
    await store.relations.block(gone.id, ada, at)
    await store.keptRecords.keep(gone, ({ subject }) => `person ${subject}`, at)
    const proof = `p${at}`
    await store.deletions.recordNothing('Facebook', at, { digest: `d${at}`, proof })
  }

  /** Erased accounts have their own test. */
  const filled = keptUntilOld.filter((kind) => kind !== 'erased-accounts')
  type Filled = (typeof filled)[number]

  /** By kind, whether the store returns the record from this time. */
  async function left(at: number): Promise<Record<Filled, boolean>> {
    const id = `s${at}`
    const data = await store.personalData.of(ada, 0, String)
    const moment = new Date(at).toISOString()
    const keptBlocks = await store
      .records((db) => ({ kept: { blocks: () => db.selectFrom('keptBlocks').select('keptAt').execute() } }))
      .kept.blocks()
    return {
      'log-entries': data?.logEntries.some((line) => line.at === moment) ?? false,
      'log-batches': !(await store.logs.add([entry(id)], `key-${at}`, at)),
      frames: data?.frames.some(({ first, last }) => [first, last].includes(moment)) ?? false,
      'match-records': data?.calls.some(({ startedAt }) => startedAt === moment) ?? false,
      'refresh-tokens': (await store.refreshTokens.find(`t${at}`)) !== null,
      'unentered-login-sessions': (await store.loginSessions.find(`un${id}`)) !== null,
      'anonymous-login-sessions': (await store.loginSessions.find(`an${id}`)) !== null,
      'old-login-sessions': (await store.loginSessions.find(id)) !== null,
      'ip-details': data?.sessions.some(({ createdAt, network }) => createdAt === moment && network !== null) ?? false,
      meetings: data?.met.some((met) => met.at === moment) ?? false,
      reports: data?.reportsMade.some((report) => report.at === moment && report.outcome === null) ?? false,
      'decided-reports': data?.reportsMade.some((report) => report.decidedAt === moment) ?? false,
      findings: data?.findings.some((finding) => finding.at === moment) ?? false,
      emails: data?.letters.some((letter) => letter.at === moment) ?? false,
      'moderation-decisions': (await store.desk.decisions(0)).some((decision) => decision.at === at),
      'moderation-audit': (await store.audit.latest(100)).some((line) => line.at === at),
      'deletion-requests': (await store.deletions.stateOf(`d${at}`)) !== null,
      'content-notices': (await store.contentNotices.find('id', `n${at}`)) !== null,
      preservations: (await store.preservations.find(`v${at}`)) !== null,
      'kept-cases': (await store.keptCases.find(`person ${at}`, at - 1)) !== null,
      'kept-reports': data?.reportsKept.some((report) => report.decidedAt === moment) ?? false,
      'kept-blocks': keptBlocks.some((block) => block.keptAt === at),
    }
  }

  describe('of every kind', () => {
    beforeAll(async () => {
      await open()
      await fill(1_000)
      await fill(2_000)
    })
    afterAll(close)

    // Of a login session its location goes too, so that comes before it.
    const inOrder = [...filled].sort((one, other) => Number(other === 'ip-details') - Number(one === 'ip-details'))

    test.each(inOrder)('the expired records are removed, and no other: %s', async (kind) => {
      expect(await store.expiry.remove(kind, 1_500, 100)).toBeGreaterThan(0)
      expect(await store.expiry.remove(kind, 1_500, 100)).toBe(0)
      expect((await left(1_000))[kind]).toBe(false)
      const young = await left(2_000)
      expect(Object.entries(young).filter(([, there]) => !there)).toEqual([])
    })
  })

  describe('of a few', () => {
    beforeEach(open)
    afterEach(close)

    test('a batch is never larger than its limit', async () => {
      for (let line = 0; line < 5; line += 1) await store.logs.add([entry('s')], null, 1)
      const removed: number[] = []
      for (const limit of [2, 2, 2, 2]) removed.push(await store.expiry.remove('log-entries', 10, limit))
      expect(removed).toEqual([2, 2, 1, 0])
    })

    test('a login session with a valid login stays, at any age', async () => {
      await fill(1_000)
      await store.logins.addToken(token('live', 's1000', 9_000))
      expect(await store.expiry.remove('old-login-sessions', 5_000, 10)).toBe(0)
      await store.refreshTokens.revokeFamily('live')
      expect(await store.expiry.remove('old-login-sessions', 5_000, 10)).toBe(1)
    })

    test('a match that has not ended and a pending deletion do not expire', async () => {
      await store.matchRecords.open({ id: 'm', caller: ada, callee: bob, startedAt: 1, connected: true })
      await store.deletions.request(ada, 'user', { requestedAt: 1, startAt: 2, dueAt: 3 }, null)
      expect(await store.expiry.remove('match-records', 1_000, 10)).toBe(0)
      expect(await store.expiry.remove('deletion-requests', 1_000, 10)).toBe(0)
    })

    test.each(['Warning', 'Appeal', 'InReview'] as const)(
      'the reports and findings of a case stay while it is open (%s)',
      async (status) => {
        const kinds = ['reports', 'decided-reports', 'findings'] as const
        const expire = () => Promise.all(kinds.map((kind) => store.expiry.remove(kind, 1_000, 10)))
        const report = { reporter: ada, reported: bob, type: 'ReportOnly', callMs: null, ...confirmedCall } as const
        await store.reports.add({ ...report, session: 'decided', at: 1 })
        await store.cases.close(bob, 'upheld', 1)
        await store.reports.add({ ...report, session: 'open', at: 2 })
        await store.findings.add(bob, { session: 's', label: 'Porn', score: 0.9, at: 2 })
        const account = await accountNamed('bob')
        await putStatus(store, account, status)
        expect(await expire()).toEqual([0, 0, 0])
        await putStatus(store, { ...account, status }, 'Valid')
        expect(await expire()).toEqual([1, 1, 1])
      },
    )

    test('nothing of an account under a legal hold expires until the hold ends', async () => {
      await fill(1_000)
      for (const accountId of [ada, bob]) await store.legalHolds.set({ accountId, reason: 'r', setBy: 's', at: 1 })
      await store.signals.add({ ...stay, accountId: ada })
      await store.evidence.add({ ...picture, uploader: bob, subject: ada })
      await store.risks.addSignals(ada, { address: 'digest', device: null }, 1_000)
      const personal = [
        'log-entries',
        'frames',
        'match-records',
        'ip-details',
        'old-login-sessions',
        'meetings',
        'reports',
      ] as const
      const others = ['decided-reports', 'findings', 'emails', 'moderation-audit'] as const
      const goes = async () => {
        const removed: Record<string, number> = {}
        for (const kind of [...personal, ...others]) removed[kind] = await store.expiry.remove(kind, 5_000, 100)
        await store.evidence.deleteFor({ subject: ada })
        const evidence = await store.evidence.expire(5_000)
        return { ...removed, evidence, signals: await store.signals.expire(5_000) }
      }
      expect(new Set(Object.values(await goes()))).toEqual(new Set([0]))
      await store.risks.deleteExpired(5_000, 5_000)
      expect(await store.evidence.list({ subject: ada })).toHaveLength(1)
      expect((await store.personalData.of(ada, 0, String))?.traces).toHaveLength(1)

      for (const accountId of [ada, bob]) await store.legalHolds.release(accountId)
      // The evidence was to be deleted after a review, and is deleted now.
      const gone = await goes()
      expect(gone).toMatchObject({ signals: 1, evidence: 0 })
      for (const kind of [...personal, ...others])
        expect([kind, gone[kind as keyof typeof gone]]).not.toEqual([kind, 0])
      expect(await store.evidence.list({ subject: ada })).toEqual([])
    })

    /** Housekeeping over this store. */
    function housekeeping(given: Partial<HousekeepingDeps>) {
      const clock = movableClock()
      const faults: string[] = []
      const removed: Record<string, number> = {}
      const { deletions, accounts } = store
      const task = createHousekeeping({
        clock,
        everyMs: 1,
        deletions: createDeletionService({
          deletions,
          accounts,
          clock,
          delayDays: 0,
          disconnect: () => {},
          beforeErasure: [],
        }),
        expiry: store.expiry,
        countedMs: { reports: 30 * DAY_MS },
        hooks: [],
        done: (counts) => void Object.assign(removed, counts),
        fault: (what) => void faults.push(what),
        ...given,
      })
      return { task, clock, faults, removed }
    }

    test('housekeeping keeps every period, and a kind that fails does not stop the others', async () => {
      const now = Date.now()
      await fill(now - 800 * DAY_MS)
      await fill(now - 1_000)
      const evidence: number[] = []
      let fail = true
      const { task, faults, removed } = housekeeping({
        expiry: {
          async remove(kind, before, limit) {
            if (kind === 'log-entries' && fail) throw new Error('no disk')
            return store.expiry.remove(kind, before, limit)
          },
        },
        hooks: [{ ...keptByFeatures.evidence, expire: async (before) => evidence.push(before) }],
      })
      task.start()
      await expect.poll(() => removed['deletion-requests']).toBe(1)
      expect(removed['log-entries']).toBeUndefined()
      expect(faults).toContain('log-entries')
      fail = false
      await expect.poll(() => removed['log-entries']).toBe(1)
      await task.stop()
      expect(removed[keptByFeatures.evidence.what]).toBeGreaterThan(0)
      expect(evidence[0]).toBeLessThanOrEqual(now - 30 * DAY_MS + 60_000)
      const [old, young] = [await left(now - 800 * DAY_MS), await left(now - 1_000)]
      expect(Object.entries(old).filter(([, there]) => there)).toEqual([])
      // Refresh tokens and kept cases have their own time of expiry.
      const ended = Object.entries(young).filter(([, there]) => !there)
      expect(ended.map(([kind]) => kind).sort()).toEqual(['kept-cases', 'refresh-tokens'])
    })

    test('housekeeping carries deletions out and reports the account whose deletion failed', async () => {
      await store.deletions.request(ada, 'user', { requestedAt: 1, startAt: 2, dueAt: 3 }, null)
      const erase = { fails: true }
      const { deletions, accounts } = store
      const { task, faults } = housekeeping({
        deletions: createDeletionService({
          deletions,
          accounts,
          clock: movableClock(),
          delayDays: 0,
          disconnect: () => {},
          beforeErasure: [() => (erase.fails ? Promise.reject(new Error('not now')) : Promise.resolve())],
        }),
      })
      task.start()
      await expect.poll(() => faults).toContain(`deletion of account ${ada}`)
      expect(await accounts.find(ada)).not.toBeNull()
      erase.fails = false
      await expect.poll(() => accounts.find(ada)).toBeNull()
      await task.stop()
    })
  })
})
