import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { deleteAndComeBack } from '../../support/attacks/washed-suspension.ts'
import { type MovableClock, movableClock } from '../../support/movable-clock.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import { addModerator, logIn } from '../../support/stores/moderators.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'

async function serverForTest(): Promise<{ server: TestServer; clock: MovableClock }> {
  const clock = movableClock()
  const server = await startServer({ DELETION_DELAY_DAYS: '0', HOUSEKEEPING_MS: '20' }, { clock })
  onTestFinished(server.stop)
  return { server, clock }
}

const statusOf = (visitor: SignedInVisitor) => visitor.request('readBlockStatus', { userEmailAddress: visitor.email })

/** Deletes the account and signs in again once the records of the old account are gone. Resolves with the new login. */
async function washed(server: TestServer, visitor: SignedInVisitor): Promise<SignedInVisitor> {
  return deleteAndComeBack(server.origin, visitor, async () => {
    let left: string | null = ''
    await server.edit(async (store) => {
      left = await store.personalData.accountOf('Google', visitor.email)
    })
    return left === null
  })
}

test.each(['Warning', 'Appeal', 'InReview'] as const)(
  '%s applies to the new account, with its rule and its end',
  async (status) => {
    const { server, clock } = await serverForTest()
    const until = clock.now() + 9 * DAY_MS
    const visitor = await signIn(server, { email: 'troll@example.org' })
    await server.edit(async (store) =>
      putStatus(store, await accountOf(store, visitor.email), status, { rule: 'no-scams', until, at: clock.now() }),
    )
    const again = await washed(server, visitor)
    expect(await statusOf(again)).toMatchObject({ status, case: { what: 'reports', rule: 'no-scams', until } })
    const token = await again.send('readHubToken', { userSessionId: again.sessionId })
    expect(token.status).toBe(status === 'Warning' ? 200 : 403)

    // The same after a second deletion.
    const third = await washed(server, again)
    expect(await statusOf(third)).toMatchObject({ status, case: { rule: 'no-scams', until } })
    expect((await statusOf(await signIn(server, { email: 'other@example.org' }))).status).toBe('Valid')
  },
)

test('a status whose time ended before the new sign-in does not apply to the new account', async () => {
  const { server, clock } = await serverForTest()
  const visitor = await signIn(server, { email: 'troll@example.org' })
  const until = clock.now() + DAY_MS
  await server.edit(async (store) => putStatus(store, await accountOf(store, visitor.email), 'Appeal', { until }))
  await visitor.request('deleteData', undefined)
  await washedAway(server, visitor.email)
  clock.forward(2 * DAY_MS)
  expect((await statusOf(await signIn(server, { email: visitor.email }))).status).toBe('Valid')
})

async function washedAway(server: TestServer, email: string): Promise<void> {
  await expect
    .poll(async () => {
      let left: string | null = ''
      await server.edit(async (store) => {
        left = await store.personalData.accountOf('Google', email)
      })
      return left
    })
    .toBeNull()
}

test('deleting an account washes no dismissed report away, nor does the deletion of the reported user’s', async () => {
  const { server, clock } = await serverForTest()
  const liar = await signIn(server, { email: 'liar@example.org' })
  const names = ['one', 'two', 'three']
  for (const name of names) await signIn(server, { email: `${name}@example.org` })
  await server.edit(async (store) => {
    const reporter = (await accountOf(store, liar.email)).id
    for (const name of names) {
      const reported = (await accountOf(store, `${name}@example.org`)).id
      const report = { session: name, reporter, reported, type: 'ReportOnly', callMs: 60_000 } as const
      await store.reports.add({ ...report, ...confirmedCall, at: clock.now(), details: { reason: 'under-18' } })
      // The last one waits for a decision.
      if (name !== 'three') await store.cases.close(reported, 'dismissed', clock.now())
    }
  })
  const dismissed = async () => {
    let found = Number.NaN
    await server.edit(async (store) => {
      found = (await store.reports.recordOf((await accountOf(store, liar.email)).id, clock.now())).dismissed
    })
    return found
  }
  const [one] = [await signIn(server, { email: 'one@example.org' })]
  await one.request('deleteData', undefined)
  await washedAway(server, one.email)
  expect(await dismissed()).toBe(2)

  const again = await washed(server, liar)
  expect(await dismissed()).toBe(2)
  const { reportsKept } = await again.request('exportData', undefined)
  expect(reportsKept.map(({ outcome }) => String(outcome)).sort()).toEqual(['dismissed', 'dismissed', 'null'])
  await server.edit(async (store) => {
    await store.cases.close((await accountOf(store, 'three@example.org')).id, 'dismissed', clock.now())
  })
  expect(await dismissed()).toBe(3)
  await washed(server, again)
  expect(await dismissed()).toBe(3)
})

test.each([['troll'], ['victim', 'troll']])('a block applies again after a deletion: %s %s', async (...gone) => {
  const { server, clock } = await serverForTest()
  const people = new Map<string, SignedInVisitor>()
  for (const name of ['victim', 'troll']) people.set(name, await signIn(server, { email: `${name}@example.org` }))
  const blocked = async () => {
    let found: string[] = []
    await server.edit(async (store) => {
      const [victim, troll] = [
        await accountOf(store, 'victim@example.org'),
        await accountOf(store, 'troll@example.org'),
      ]
      expect(await store.relations.blockedWith(victim.id)).toEqual([troll.id])
      found = await store.relations.blockedWith(troll.id)
      expect(found).toEqual([victim.id])
    })
    return found.length
  }
  await server.edit(async (store) => {
    const [victim, troll] = [await accountOf(store, 'victim@example.org'), await accountOf(store, 'troll@example.org')]
    await store.relations.block(victim.id, troll.id, clock.now())
  })
  // All are gone before the first comes back.
  for (const name of gone) {
    await people.get(name)?.request('deleteData', undefined)
    await washedAway(server, `${name}@example.org`)
  }
  for (const name of gone) await signIn(server, { email: `${name}@example.org` })
  expect(await blocked()).toBe(1)
})

test('an undecided case is in the queue of moderators again after the new sign-in', async () => {
  const { server, clock } = await serverForTest()
  const visitor = await signIn(server, { email: 'troll@example.org' })
  const other = await signIn(server, { email: 'other@example.org' })
  await server.edit(async (store) => {
    const [reported, reporter] = [await accountOf(store, visitor.email), await accountOf(store, other.email)]
    const pair = { reporter: reporter.id, reported: reported.id }
    await store.reports.add({
      ...pair,
      session: 's',
      type: 'ReportOnly',
      callMs: 60_000,
      ...confirmedCall,
      at: clock.now(),
    })
  })
  const again = await washed(server, visitor)
  expect((await statusOf(again)).status).toBe('Valid')
  const moderator = await logIn(server, await addModerator(server.dataDir, 'mia'))
  const { cases } = await moderator.requestConsole('readQueue', {})
  expect(cases).toMatchObject([{ kinds: ['earlier-account'], reports: 0, status: 'Valid' }])
  const { id } = cases[0] ?? { id: '' }
  const { version, earlier } = await moderator.requestConsole('readCase', { id })
  expect(earlier).toMatchObject({ reports: 1, findings: 0 })
  await moderator.requestConsole('decide', { id, version, verdict: 'dismiss', rule: 'guidelines', note: 'seen' })
  expect((await moderator.requestConsole('readQueue', {})).cases).toEqual([])

  // A decided case does not come back.
  await washed(server, again)
  expect((await moderator.requestConsole('readQueue', {})).cases).toEqual([])
})
