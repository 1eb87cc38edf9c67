import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#protocol/durations.ts'
import { call, type HubPerson, hubPerson } from '../../support/hub/hub-person.ts'
import { type MovableClock, movableClock } from '../../support/movable-clock.ts'
import { signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import { addModerator, logIn } from '../../support/stores/moderators.ts'
import { accountOf } from '../../support/stores/put-status.ts'
import type { Store } from '../../support/stores/store.ts'

async function serverForTest(): Promise<{ server: TestServer; clock: MovableClock }> {
  const clock = movableClock()
  const server = await startServer({ TRUST_PROXY: '127.0.0.1' }, { clock })
  onTestFinished(server.stop)
  return { server, clock }
}

const emailOf = (name: string) => `${name}@example.org`

async function arrive(server: TestServer, name: string, address: string): Promise<HubPerson> {
  return hubPerson(server, await signIn(server, { email: emailOf(name), address }))
}

const statusOf = async ({ visitor }: HubPerson) =>
  (await visitor.request('readBlockStatus', { userEmailAddress: visitor.email })).status

/** Writes a call of five minutes that both sides confirmed. */
async function keptCall(store: Store, one: string, other: string, at: number): Promise<void> {
  const id = `${one} ${other}`
  await store.matchRecords.open({ id, caller: one, callee: other, startedAt: at, connected: false })
  for (const role of ['Caller', 'Callee'] as const) await store.matchRecords.confirm(id, role, at + 1_000)
  await store.matchRecords.close(id, at + 5 * MINUTE_MS, at)
}

/** Calls the other, reports it as a possible minor, and leaves the hub as the other does; without a call before anything was relayed. */
async function reportMinor(by: HubPerson, whom: HubPerson, hasCall = true): Promise<void> {
  let session: unknown
  if (hasCall) session = (await call(by, whom)).session
  else {
    const matched = by.next('OnUserMatched')
    await by.queue()
    await whom.queue()
    session = (await matched)[1]
  }
  const over = whom.next('OnUserReportedByPeer')
  const { connectionId } = by.client
  const details = { reason: 'under-18' }
  await by.client.invoke('HandleReportedUser', connectionId, whom.client.connectionId, 'ReportOnly', session, details)
  await over
  await Promise.all([by, whom].map(({ client }) => client.stop()))
}

test.each([
  ['of one network', 13, () => '198.51.100.20'],
  ['of networks and hours of their own', 17, (index: number) => `198.51.${index}.20`],
] as const)('accounts %s that called each other for two weeks pause nobody: %d of them', async (_, size, addressOf) => {
  const { server, clock } = await serverForTest()
  const names = Array.from({ length: size }, (_, index) => `farm${index}`)
  for (const [index, name] of names.entries()) {
    await signIn(server, { email: emailOf(name), address: addressOf(index) })
    clock.forward(61 * MINUTE_MS)
  }
  await server.edit(async (store) => {
    const ids: string[] = []
    for (const name of names) ids.push((await accountOf(store, emailOf(name))).id)
    for (const [index, one] of ids.entries())
      for (const other of ids.slice(index + 1)) await keptCall(store, one, other, clock.now())
  })
  clock.forward(15 * DAY_MS)
  const statuses: string[] = []
  for (const [index, name] of names.slice(0, 2).entries()) {
    const victim = await arrive(server, `victim${index}`, `203.0.${index}.1`)
    await reportMinor(await arrive(server, name, addressOf(index)), victim)
    // A judgement ends before the next report of a match with the same person is taken.
    const moderator = await logIn(server, await addModerator(server.dataDir, `mo${index}`), clock.now())
    expect((await moderator.requestConsole('readQueue', {})).open).toBe(index + 1)
    statuses.push(await statusOf(victim))
  }
  expect(statuses).toEqual(['Valid', 'Valid'])
})

test('reports of a minor by new accounts neither pass before a settled user’s, nor start more clocks than a network may', async () => {
  const { server, clock } = await serverForTest()
  const dueOf = async () => {
    const moderator = await logIn(server, await addModerator(server.dataDir, `mo${clock.now()}`), clock.now())
    const { cases } = await moderator.requestConsole('readQueue', {})
    return cases.map(({ priority, id }) => ({ hasClock: priority !== null, id }))
  }
  // Without a call none of them has a clock.
  for (let account = 0; account < 2; account += 1) {
    for (let about = 0; about < 2; about += 1) {
      clock.forward(MINUTE_MS)
      const by = await arrive(server, `silent${account}`, `198.51.${account}.1`)
      await reportMinor(by, await arrive(server, `met${account}${about}`, '203.0.113.1'), false)
    }
  }
  expect((await dueOf()).filter(({ hasClock }) => hasClock)).toEqual([])

  for (let account = 0; account < 5; account += 1) {
    clock.forward(MINUTE_MS)
    const by = await arrive(server, `caller${account}`, '198.51.100.7')
    await reportMinor(by, await arrive(server, `called${account}`, '203.0.113.1'))
  }
  expect((await dueOf()).filter(({ hasClock }) => hasClock)).toHaveLength(3)

  clock.forward(MINUTE_MS)
  const [real, minor] = [await arrive(server, 'real', '192.0.2.1'), await arrive(server, 'minor', '192.0.3.1')]
  await server.edit(async (store) => {
    // Proven right by moderators, without age and calls.
    const { id } = await accountOf(store, emailOf('real'))
    for (let proof = 0; proof < 3; proof += 1) {
      const offender = await accountOf(store, emailOf(`offender${proof}`))
      const match = { session: `proof${proof}`, reporter: id, reported: offender.id } as const
      const at = clock.now() - 2 * DAY_MS
      await store.reports.add({ ...match, ...confirmedCall, type: 'ReportOnly', callMs: 1, keptCalls: 0, at })
      await store.cases.close(offender.id, 'upheld', clock.now())
    }
  })
  const found = { id: '' }
  await server.edit(async (store) => {
    found.id = (await accountOf(store, emailOf('minor'))).id
  })
  await reportMinor(real, minor)
  await expect.poll(() => statusOf(minor)).toBe('Appeal')
  expect((await dueOf())[0]).toEqual({ hasClock: true, id: found.id })
})
