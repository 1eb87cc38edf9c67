import { expect, onTestFinished, test } from 'vitest'
import { HOUR_MS } from '#protocol/durations.ts'
import type { ReportDetails } from '#protocol/reports.ts'
import { call, type HubPerson, hubPerson, report } from '../../support/hub/hub-person.ts'
import { type MovableClock, movableClock } from '../../support/movable-clock.ts'
import { readMetrics } from '../../support/servers/read-metrics.ts'
import { signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { addModerator, logIn } from '../../support/stores/moderators.ts'
import { addEarlierPeople, settledByAge } from '../../support/stores/settled-people.ts'

const people = ['ann', 'bad', 'new'] as const

/** Starts a server. Ann and the reported user have old accounts; every other user has a new account. */
async function serverWith(): Promise<{ server: TestServer; clock: MovableClock }> {
  const clock = movableClock()
  const server = await startServer(settledByAge, { clock })
  onTestFinished(server.stop)
  await addEarlierPeople(server, ['ann@example.org', 'bad@example.org'], clock.now())
  return { server, clock }
}

async function person(server: TestServer, name: (typeof people)[number]): Promise<HubPerson> {
  return hubPerson(server, await signIn(server, { email: `${name}@example.org` }))
}

const statusOf = ({ visitor }: HubPerson) => visitor.request('readBlockStatus', { userEmailAddress: visitor.email })

/** Both sides of a call, and the reporter's report of it. */
async function callWith(server: TestServer, reporter: HubPerson) {
  const bad = await person(server, 'bad')
  const { session } = await call(reporter, bad)
  const invoke = (details: unknown) =>
    reporter.client.invoke(
      'HandleReportedUser',
      reporter.client.connectionId,
      bad.client.connectionId,
      'ReportOnly',
      session,
      details,
    )
  return { bad, invoke }
}

async function consoleOf({ server, clock }: { server: TestServer; clock: MovableClock }) {
  return logIn(server, await addModerator(server.dataDir, 'mia'), clock.now())
}

const details: ReportDetails = {
  reason: 'under-18',
  note: 'Said so',
  curtain: { model: 'mobilenet', flagged: 1, looks: 9 },
}

test('a settled reporter’s report that the peer may be a minor pauses the peer, is first in the queue with a clock, and overdue after it', async () => {
  const { server, clock } = await serverWith()
  const { bad, invoke } = await callWith(server, await person(server, 'ann'))
  const at = clock.now()
  await invoke(details)
  expect(await bad.ended).toContain('blocked')
  const status = await statusOf(bad)
  expect(status).toMatchObject({ status: 'Appeal', case: { what: 'reports', rule: 'guidelines', next: 'may-appeal' } })

  const dueAt = at + 24 * HOUR_MS
  const mia = await consoleOf({ server, clock })
  const { cases } = await mia.requestConsole('readQueue', {})
  expect(cases).toMatchObject([{ priority: { reason: 'under-18', dueAt }, dueAt }])
  const id = cases[0]?.id ?? ''
  const { openReports, history } = await mia.requestConsole('readCase', { id })
  expect(openReports).toMatchObject([{ ...details, dueAt, type: 'ReportOnly', outcome: null }])
  expect(JSON.stringify(history)).not.toContain('under-18')

  const counted = async () => {
    const read = await readMetrics(server)
    const of = (state: string) => read(`waggle_moderation_priority_cases{reason="under-18",state="${state}"}`)
    return { due: of('due'), overdue: of('overdue') }
  }
  expect(await counted()).toEqual({ due: 1, overdue: 0 })
  clock.forward(24 * HOUR_MS + 1)
  await server.restart()
  expect(await counted()).toEqual({ due: 0, overdue: 1 })
  const later = await logIn(server, await addModerator(server.dataDir, 'noa'), clock.now())
  expect(await later.requestConsole('readQueue', {})).toMatchObject({ cases: [{ priority: { dueAt }, dueAt }] })
  expect(await later.requestConsole('readStatistics', undefined)).toMatchObject({ open: 1, overdue: 1 })

  const { version } = await later.requestConsole('readCase', { id })
  const dismissal = { verdict: 'dismiss', rule: 'guidelines', note: 'Of age' } as const
  expect(await later.requestConsole('decide', { id, version, ...dismissal })).toEqual({ status: 'Valid' })
  expect(await counted()).toEqual({ due: 0, overdue: 0 })
  expect(await later.requestConsole('readCase', { id })).toMatchObject({ priority: null, dueAt: null })
})

test('the same report of a new account pauses nobody, and is first in the queue with the same clock', async () => {
  const { server, clock } = await serverWith()
  const { bad, invoke } = await callWith(server, await person(server, 'new'))
  await invoke({ reason: 'under-18' })
  const mia = await consoleOf({ server, clock })
  const { cases } = await mia.requestConsole('readQueue', {})
  expect(cases).toMatchObject([
    { priority: { reason: 'under-18', dueAt: clock.now() + 24 * HOUR_MS }, status: 'Valid' },
  ])
  expect((await statusOf(bad)).status).toBe('Valid')
})

test('the reporter’s export has the reason, the words and what the check saw; the reported user’s has none of it', async () => {
  const { server } = await serverWith()
  const ann = await person(server, 'ann')
  const { bad, invoke } = await callWith(server, ann)
  const given = { ...details, reason: 'other' }
  await invoke(given)
  expect((await ann.visitor.request('exportData', undefined)).reportsMade).toMatchObject([given])
  const response = await bad.visitor.send('exportData', undefined)
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ reportsReceived: 1, reportsMade: [] })
  for (const secret of ['Said so', 'mobilenet', '"other"']) expect(text).not.toContain(secret)
})

test('a report of an older client is taken without a reason', async () => {
  const { server, clock } = await serverWith()
  const [ann, bad] = [await person(server, 'ann'), await person(server, 'bad')]
  await call(ann, bad)
  await report(ann, bad)
  const mia = await consoleOf({ server, clock })
  const { cases } = await mia.requestConsole('readQueue', {})
  expect(cases).toMatchObject([{ priority: null }])
  const { openReports } = await mia.requestConsole('readCase', { id: cases[0]?.id ?? '' })
  expect(openReports).toMatchObject([{ reason: null, note: null, curtain: null, dueAt: null }])
})

test('wrong details are refused with the name of the field, and the report can be made again', async () => {
  const { server } = await serverWith()
  const ann = await person(server, 'ann')
  const { invoke } = await callWith(server, ann)
  const refusals: [unknown, string][] = [
    ['under-18', 'details: it is an object'],
    [{ note: 'No reason' }, 'reason: it is missing'],
    [{ reason: 'boring' }, 'reason: it is one of'],
    [{ reason: 'other', note: 'x'.repeat(201) }, 'note: it has at most 200 characters'],
    [{ reason: 'other', note: 7 }, 'note: it is text'],
    [{ reason: 'nudity', curtain: { model: 'm', flagged: 2, looks: 1 } }, 'curtain.flagged: it is at most'],
  ]
  for (const [wrong, message] of refusals) await expect(invoke(wrong)).rejects.toThrow(`bad-request: ${message}`)
  const thanked = ann.next('OnUserReportingSuccessful')
  await invoke({ reason: 'spam' })
  await thanked
  await expect(invoke({ reason: 'under-18' })).rejects.toThrow('wrong-state')
})
