import { expect, test } from 'vitest'
import { LATE_REPORT_MS } from '#protocol/constants.ts'
import { searching, visit } from '../../../support/call/call-visit.ts'
import { waitFor } from '../../../support/wait-for.ts'

// Rules: docs/product.md REPORT-4, REPORT-9.

type Visit = Awaited<ReturnType<typeof searching>>

async function inCall(...given: Parameters<typeof searching>): Promise<Visit> {
  const all = await searching(...given)
  all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
  all.peers[0]?.emit({ type: 'video-arrived' })
  all.hub.invoked.length = 0
  return all
}

const reportPeer = ({ call }: Visit) => call.dispatch({ type: 'report-chosen', report: 'ReportOnly' })
const popupOf = ({ stores }: Visit) => stores.toasts.popup.value?.text
const reportsOf = ({ hub }: Pick<Visit, 'hub'>) => hub.invoked.filter(([name]) => name === 'HandleReportedUser')
const storedOf = ({ stored }: Pick<Visit, 'stored'>) => JSON.parse(String(stored.get('pendingReports') ?? '[]'))

/** A visit whose report was stored and never reached the hub, and what the browser has stored then. */
async function reportedAway(): Promise<Map<string, Blob | string>> {
  const all = await inCall()
  all.hub.lose()
  reportPeer(all)
  await all.runner.stop()
  return all.stored
}

test('a report ends the call at once, goes out before the next search, and is forgotten when the hub has it', async () => {
  const all = await inCall()
  reportPeer(all)
  expect(all.call.phase.value).toBe('searching')
  expect(all.call.remote.value).toBeNull()
  expect(all.peers[0]?.did.at(-1)).toBe('close')
  expect(all.went.at(-1)).toBe('/buzzing')
  expect(all.hub.invoked.slice(0, 3)).toEqual([
    ['HandleReportedUser', 'own', 'peer', 'ReportOnly', 's'],
    ['OnMatchedSessionTerminationRequested', 's', 'own'],
    ['InitiateMatchingWithPeers', 'own', '["x","y"]'],
  ])
  await waitFor(() => expect(popupOf(all)).toBe('toasts.report-taken'))
  expect(storedOf(all)).toEqual([])
})

test('the hub’s own word that it has the report is enough', async () => {
  const all = await inCall()
  all.hub.goAway()
  reportPeer(all)
  expect(storedOf(all)).toMatchObject([{ email: 'ada@example.org', matchId: 's', report: 'ReportOnly' }])
  all.hub.emit('OnUserReportingSuccessful', 's')
  expect(popupOf(all)).toBe('toasts.report-taken')
  expect(storedOf(all)).toEqual([])
})

test('a report without a hub ends the call all the same, says that it waits, and goes out with the next connection', async () => {
  const all = await inCall()
  all.hub.state('gave-up', 'hub-unavailable')
  all.hub.client.start = async () => all.hub.comeBack('own2')
  reportPeer(all)
  expect([all.call.phase.value, popupOf(all)]).toEqual(['searching', 'toasts.report-waiting'])
  await waitFor(() => expect(all.hub.names()).toContain('InitiateMatchingWithPeers'))
  expect(all.hub.invoked[0]).toEqual(['HandleReportedUser', 'own2', 'peer', 'ReportOnly', 's'])
  await waitFor(() => expect(storedOf(all)).toEqual([]))
})

test('a report that a fault of the hub refused is sent again after a while', async () => {
  const all = await inCall()
  all.hub.refuse('HandleReportedUser', 'unavailable')
  reportPeer(all)
  await waitFor(() => expect(all.log.errors).toContain('HandleReportedUser was refused'))
  expect(storedOf(all)).toHaveLength(1)
  all.hub.refuse('HandleReportedUser', null)
  all.clock.advance(10_000)
  await waitFor(() => expect(popupOf(all)).toBe('toasts.report-taken'))
  expect(reportsOf(all)).toHaveLength(2)
})

test.each([
  ['not-in-match', 'toasts.report-failed'],
  ['wrong-state', 'toasts.report-taken'],
] as const)('a report that the hub answers with %s is not sent again', async (code, notice) => {
  const all = await inCall()
  all.hub.refuse('HandleReportedUser', code)
  reportPeer(all)
  await waitFor(() => expect(popupOf(all)).toBe(notice))
  all.clock.advance(60_000)
  all.hub.comeBack('own2')
  expect(reportsOf(all)).toHaveLength(1)
  expect(storedOf(all)).toEqual([])
})

test('a report that a visit could not send is sent by the next one, before its first search', async () => {
  const stored = await reportedAway()
  const next = visit({}, { stored })
  next.call.dispatch({ type: 'started' })
  await waitFor(() => expect(next.hub.names()).toEqual(['HandleReportedUser', 'InitiateMatchingWithPeers']))
  expect(next.hub.invoked[0]).toEqual(['HandleReportedUser', 'own', 'peer', 'ReportOnly', 's'])
  await waitFor(() => expect(storedOf(next)).toEqual([]))
})

test('a report of another user is not sent in this user’s name, and is dropped', async () => {
  const next = await searching({}, { stored: await reportedAway(), email: 'eve@example.org' })
  expect(next.hub.names()).toEqual(['InitiateMatchingWithPeers'])
  expect(storedOf(next)).toEqual([])
})

test('a report that the server would not take any more is dropped', async () => {
  const stored = await reportedAway()
  const [report] = JSON.parse(String(stored.get('pendingReports')))
  stored.set('pendingReports', JSON.stringify([{ ...report, at: -LATE_REPORT_MS - 1 }]))
  const next = await searching({}, { stored })
  expect(next.hub.names()).toEqual(['InitiateMatchingWithPeers'])
  expect(storedOf(next)).toEqual([])
})

const details = { reason: 'other', note: 'At the window', curtain: { model: 'm', flagged: 2, looks: 9 } } as const

test('a report that waits is stored and sent with its reason', async () => {
  const all = await inCall()
  all.hub.lose()
  all.call.dispatch({ type: 'report-chosen', report: 'BlockAndReport', details })
  expect(storedOf(all)).toMatchObject([{ matchId: 's', report: 'BlockAndReport', details }])
  await all.runner.stop()
  const next = visit({}, { stored: all.stored })
  next.call.dispatch({ type: 'started' })
  await waitFor(() => expect(next.hub.names()).toContain('InitiateMatchingWithPeers'))
  expect(next.hub.invoked[0]).toEqual(['HandleReportedUser', 'own', 'peer', 'BlockAndReport', 's', details])
  await waitFor(() => expect(storedOf(next)).toEqual([]))
})

test('a report without a reason has the arguments that older servers know', async () => {
  const all = await inCall()
  reportPeer(all)
  expect(reportsOf(all)).toEqual([['HandleReportedUser', 'own', 'peer', 'ReportOnly', 's']])
})

test('a report that an older page stored is sent, and so is one whose details this page does not know', async () => {
  const stored = await reportedAway()
  const [report] = JSON.parse(String(stored.get('pendingReports')))
  expect(report).not.toHaveProperty('details')
  const unknown = { ...report, matchId: 'other', details: { reason: 'of a later version' } }
  stored.set('pendingReports', JSON.stringify([report, unknown]))
  const next = visit({}, { stored })
  next.call.dispatch({ type: 'started' })
  await waitFor(() => expect(next.hub.names()).toContain('InitiateMatchingWithPeers'))
  expect(reportsOf(next)).toEqual([
    ['HandleReportedUser', 'own', 'peer', 'ReportOnly', 's'],
    ['HandleReportedUser', 'own', 'peer', 'ReportOnly', 'other'],
  ])
})

test('what the browser stored in another form is ignored', async () => {
  const next = await searching({}, { stored: new Map([['pendingReports', '[{"matchId":1}]']]) })
  expect(next.hub.names()).toEqual(['InitiateMatchingWithPeers'])
})
