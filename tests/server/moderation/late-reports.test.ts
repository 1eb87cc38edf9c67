import { expect, onTestFinished, test } from 'vitest'
import { LATE_REPORT_MS } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { call, type HubPerson, hubPerson } from '../../support/hub/hub-person.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { addEarlierPeople, settledByAge } from '../../support/stores/settled-people.ts'

async function pairOnServer() {
  const clock = movableClock()
  const server = await startServer({ ...settledByAge, REPORTS_TO_WARN: '1' }, { clock })
  onTestFinished(server.stop)
  await addEarlierPeople(
    server,
    ['ann', 'bad', 'eve'].map((name) => `${name}@example.org`),
    clock.now(),
  )
  const [ann, bad] = [await person(server, 'ann'), await person(server, 'bad')]
  const { session } = await call(ann, bad)
  return { server, clock, ann, bad, session }
}

async function person(server: TestServer, name: string): Promise<HubPerson> {
  return hubPerson(server, await signIn(server, { email: `${name}@example.org` }))
}

/** A new page of the same user: its hub connection has another id. */
async function newPage(server: TestServer, { visitor }: HubPerson): Promise<HubPerson> {
  const next = hubPerson(server, visitor)
  await next.client.start()
  onTestFinished(() => next.client.stop())
  return next
}

const reportWith = ({ client }: HubPerson, peer: string | null, session: string) =>
  client.invoke('HandleReportedUser', client.connectionId, peer, 'ReportOnly', session)

const statusOf = async ({ visitor }: HubPerson) =>
  (await visitor.request('readBlockStatus', { userEmailAddress: visitor.email })).status

test('a report that names its match is taken over a new connection after the match was left, once', async () => {
  const { server, ann, bad, session } = await pairOnServer()
  const peer = bad.client.connectionId
  await ann.client.stop()
  const next = await newPage(server, ann)
  const thanked = next.next('OnUserReportingSuccessful')
  await reportWith(next, peer, session)
  expect(await thanked).toEqual([session])
  await expect.poll(() => statusOf(bad)).toBe('Warning')
  await expect(reportWith(next, peer, session)).rejects.toThrow('wrong-state')
})

test('a report that names a match which goes on ends it from a new connection', async () => {
  const { server, ann, bad, session } = await pairOnServer()
  const [reported, over] = [bad.next('OnUserReportedByPeer'), bad.next('SessionTerminated')]
  await reportWith(await newPage(server, ann), bad.client.connectionId, session)
  expect([await reported, await over]).toEqual([[session], [session]])
})

test('a report is taken from the records of a match that the server has forgotten, and weighs as the call did', async () => {
  const { server, clock, ann, bad, session } = await pairOnServer()
  const peer = bad.client.connectionId
  clock.forward(20_000)
  await ann.client.invoke('OnMatchedSessionTerminationRequested', session, ann.client.connectionId)
  await server.restart()
  clock.forward(LATE_REPORT_MS - 60_000)
  await reportWith(await newPage(server, { ...ann, visitor: await signIn(server, ann.visitor) }), peer, session)
  const judged = await signIn(server, bad.visitor)
  await expect.poll(() => statusOf({ ...bad, visitor: judged })).toBe('Warning')
})

test('a report is refused a day after the match, and of a match of others', async () => {
  const { server, clock, ann, bad, session } = await pairOnServer()
  const peer = bad.client.connectionId
  const eve = await person(server, 'eve')
  await eve.client.start()
  await expect(reportWith(eve, peer, session)).rejects.toThrow('not-in-match')
  await ann.client.invoke('OnMatchedSessionTerminationRequested', session, ann.client.connectionId)
  await expect(reportWith(eve, peer, session)).rejects.toThrow('not-in-match')
  await server.restart()
  clock.forward(DAY_MS + 1)
  const late = await newPage(server, { ...ann, visitor: await signIn(server, ann.visitor) })
  await expect(reportWith(late, peer, session)).rejects.toThrow('not-in-match')
  await expect(reportWith(late, peer, 'no-such-match')).rejects.toThrow('not-in-match')
})

test.each(['ReportOnly', 'BlockAndReport'])(
  'a pair with a report (%s) is never matched again, also after a restart',
  async (type) => {
    const server = await startServer({ MATCH_RELAX_AFTER_MS: '0' })
    onTestFinished(server.stop)
    const { caller, callee, session } = await call(await person(server, 'ann'), await person(server, 'bad'))
    await caller.client.invoke('HandleReportedUser', caller.client.connectionId, '-', type, session)
    await server.restart()
    const back = await Promise.all(
      [caller, callee].map(({ visitor }) => person(server, visitor.email.replace(/@.*/, ''))),
    )
    const matched = Promise.race(back.map((each) => each.next('OnUserMatched')))
    for (const each of back) await each.queue()
    const eve = await person(server, 'eve')
    await eve.client.start()
    const id = eve.client.connectionId
    await eve.queue()
    expect((await matched)[2]).toBe(id)
  },
)
