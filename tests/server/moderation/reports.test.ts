import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { call, type HubPerson, hubPerson, meet, report } from '../../support/hub/hub-person.ts'
import { type MovableClock, movableClock } from '../../support/movable-clock.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { addEarlierPeople, settledByAge } from '../../support/stores/settled-people.ts'

async function serverWith(env: Record<string, string> = {}): Promise<{ server: TestServer; clock: MovableClock }> {
  const clock = movableClock()
  const server = await startServer({ ...settledByAge, ...env }, { clock })
  onTestFinished(server.stop)
  const people = ['ann', 'bob', 'cid', 'dot', 'bad'].map((name) => `${name}@example.org`)
  await addEarlierPeople(server, people, clock.now())
  return { server, clock }
}

async function person(server: TestServer, name: string): Promise<HubPerson> {
  return hubPerson(server, await signIn(server, { email: `${name}@example.org` }))
}

const statusOf = (visitor: SignedInVisitor) => visitor.request('readBlockStatus', { userEmailAddress: visitor.email })

/** Waits for the status: a report is judged shortly after it is recorded. */
async function reached(visitor: SignedInVisitor, status: string) {
  return expect.poll(async () => (await statusOf(visitor)).status).toBe(status)
}

async function meetAndReport(bad: HubPerson, reporter: HubPerson): Promise<void> {
  await call(bad, reporter)
  const reported = bad.next('OnUserReportedByPeer')
  await report(reporter, bad)
  await reported
}

test('reports of four partners suspend a user: disconnected at once, appeal, review', async () => {
  const { server, clock } = await serverWith()
  const bad = await person(server, 'bad')
  for (const name of ['ann', 'bob', 'cid']) {
    await meetAndReport(bad, await person(server, name))
    clock.forward(1_000)
  }
  await reached(bad.visitor, 'Warning')
  const warning = await statusOf(bad.visitor)
  expect(warning.case).toMatchObject({ what: 'reports', rule: 'guidelines', next: 'warning-ends' })
  expect((warning.case?.until ?? 0) - (warning.case?.since ?? 0)).toBe(30 * DAY_MS)

  await meetAndReport(bad, await person(server, 'dot'))
  expect(await bad.ended).toContain('blocked')
  const suspended = await statusOf(bad.visitor)
  expect(suspended).toMatchObject({ status: 'Appeal', case: { what: 'reports', next: 'may-appeal' }, notice: null })
  expect((suspended.case?.until ?? 0) - (suspended.case?.since ?? 0)).toBe(10 * DAY_MS)
  expect((await bad.visitor.send('readHubToken', { userSessionId: bad.visitor.sessionId })).status).toBe(403)

  clock.forward(DAY_MS)
  const again = await signIn(server, { email: 'bad@example.org' })
  const address = { UserEmailAddress: again.email }
  expect(await again.request('appeal', address)).toMatchObject({ status: 'InReview', case: { next: 'under-review' } })
  const review = await statusOf(again)
  expect(review).toMatchObject({ status: 'InReview', case: { what: 'reports', next: 'under-review' } })
  expect(review.case?.until).toBe(clock.now() + 10 * DAY_MS)

  clock.forward(10 * DAY_MS)
  await server.restart()
  const late = await signIn(server, { email: 'bad@example.org' })
  await reached(late, 'Warning')
  expect(await statusOf(late)).toMatchObject({ case: { what: 'review-late' }, notice: { outcome: 'late' } })
  await late.request('seeCaseNotice', address)
  expect((await statusOf(late)).notice).toBeNull()

  clock.forward(30 * DAY_MS)
  await server.restart()
  const free = await signIn(server, { email: 'bad@example.org' })
  await reached(free, 'Valid')
  expect((await statusOf(free)).case).toBeNull()
})

test('a user who is suspended while searching leaves the queue', async () => {
  const { server } = await serverWith({ REPORTS_TO_WARN: '1', REPORTS_TO_SUSPEND: '1' })
  const [bad, ann, bob] = [await person(server, 'bad'), await person(server, 'ann'), await person(server, 'bob')]
  const { session } = await call(bad, ann)
  const over = bad.next('SessionTerminated')
  await ann.client.invoke('OnMatchedSessionTerminationRequested', session, ann.client.connectionId)
  await over
  await bad.queue()
  await report(ann, bad)
  expect(await bad.ended).toContain('blocked')

  const matched = bob.next('OnUserMatched')
  await bob.queue()
  await (await person(server, 'cid')).queue()
  await matched
  await reached(bad.visitor, 'Appeal')
})

test('a report in return by a user who is warned already does not count', async () => {
  const { server, clock } = await serverWith({ REPORTS_TO_WARN: '1' })
  const [bad, ann] = [await person(server, 'bad'), await person(server, 'ann')]
  await meetAndReport(bad, ann)
  await reached(bad.visitor, 'Warning')
  clock.forward(1_000)
  await report(bad, ann)
  await meetAndReport(bad, await person(server, 'bob'))
  expect((await statusOf(ann.visitor)).status).toBe('Valid')
})

test('four who met a user whose browser never confirms a call suspend that user; one of them reports later, without the call', async () => {
  const { server, clock } = await serverWith()
  const bad = await person(server, 'bad')
  for (const name of ['ann', 'bob', 'cid', 'dot']) {
    const reporter = await person(server, name)
    const { session } = await meet(reporter, bad)
    await reporter.client.invoke('UpdateWebRtcConnectionSuccessStatus', session)
    clock.forward(9_000)
    const over = reporter.next('SessionTerminated')
    await bad.client.invoke('OnMatchedSessionTerminationRequested', session, bad.client.connectionId)
    await over
    // The server has forgotten the match.
    if (name === 'dot') clock.forward(61_000)
    const thanked = reporter.next('OnUserReportingSuccessful')
    const { connectionId } = reporter.client
    const peer = bad.client.connectionId
    await reporter.client.invoke('HandleReportedUser', connectionId, peer, 'ReportOnly', session)
    await thanked
  }
  await reached(bad.visitor, 'Appeal')
})

test('a report without a call does not count', async () => {
  const { server } = await serverWith({ REPORTS_TO_WARN: '1' })
  const [bad, ann] = [await person(server, 'bad'), await person(server, 'ann')]
  const matched = ann.next('OnUserMatched')
  await bad.queue()
  await ann.queue()
  const [, , badsId] = await matched
  await ann.client.invoke('HandleReportedUser', ann.client.connectionId, badsId, 'ReportOnly')
  await meetAndReport(ann, await person(server, 'bob'))
  await reached(ann.visitor, 'Warning')
  expect((await statusOf(bad.visitor)).status).toBe('Valid')
})
