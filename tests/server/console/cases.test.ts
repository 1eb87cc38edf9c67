import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleEndpointName, type ConsoleInput, consoleEndpoints } from '#protocol/console.ts'
import { incidentTypeSchema } from '#protocol/console-preservations.ts'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { openDatabase } from '../../../server/platform/database/database.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { seedAppeal, seedFinding, seedPeople, seedReports } from '../../support/stores/case-records.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import {
  addModerator,
  type ConsoleVisitor,
  type Credentials,
  consoleVisitor,
  logIn,
  operatorCommand,
} from '../../support/stores/moderators.ts'

/** Noon of yesterday (UTC): an hour earlier or later is the same day. */
const now = Math.floor(Date.now() / DAY_MS) * DAY_MS - 12 * HOUR_MS
const reporters = ['r0', 'r1', 'r2', 'r3', 'r4']
const person = (nickName: string) => ({ id: randomUUID(), nickName })
const berta = person('Berta')
const carla = person('Carla')
const dora = person('Dora')
const erik = person('Erik')
const fay = person('Fay')

let dataDir: string
let server: TestServer
let mia: ConsoleVisitor
let noa: ConsoleVisitor
let gone: ConsoleVisitor
let user: SignedInVisitor
let miaLogin: Credentials

beforeAll(async () => {
  dataDir = await migratedFolder()
  const db = await openDatabase(dataDir)
  await seedPeople(db, [...reporters.map((id) => ({ id })), berta, carla, dora, erik, fay], now - 90 * DAY_MS)
  const about = (reported: string, by: readonly string[], at: number) =>
    seedReports(
      db,
      by.map((reporter) => ({ reporter, reported, at })),
    )
  // A reporter who is in no other report: one of the same 24 hours would lower the weight.
  await about(berta.id, ['r4'], now - HOUR_MS)
  await about(carla.id, ['r0', 'r1', 'r2', 'r3'], now - HOUR_MS)
  await about(erik.id, ['r0', 'r1'], now - 5 * DAY_MS)
  await seedAppeal(db, dora.id, now - 8 * DAY_MS)
  await seedFinding(db, fay.id, now - 2 * HOUR_MS)
  await db.destroy()
  // High thresholds, so that no status changes when the server judges these reports at its start.
  server = await startServer({ REPORTS_TO_WARN: '900', REPORTS_TO_SUSPEND: '1000' }, { dataDir })
  miaLogin = await addModerator(dataDir, 'mia')
  mia = await logIn(server, miaLogin)
  noa = await logIn(server, await addModerator(dataDir, 'noa'))
  gone = await logIn(server, await addModerator(dataDir, 'gone'))
  await operatorCommand(dataDir, { do: 'disable', name: 'gone' })
  user = await signIn(server, { email: 'user@example.org' })
})
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const NO_NOTICE = '00000000-0000-4000-8000-000000000000'
/** Answers of a moderator's request about what does not exist. */
const refused: { [N in ConsoleEndpointName]?: number } = {
  decide: 409,
  openEvidence: 404,
  correctBirth: 404,
  openContentNotice: 404,
  answerContentNotice: 404,
  preserveCase: 404,
  openPreservation: 404,
  judgePreservation: 404,
  exportPreservation: 404,
  recordPreservationSent: 404,
}
const inputs: { [N in ConsoleEndpointName]?: () => ConsoleInput<N> } = {
  readQueue: () => ({}),
  readCase: () => ({ id: berta.id }),
  decide: () => ({ id: berta.id, version: 'stale', verdict: 'warn', rule: 'guidelines', note: 'x' }),
  openEvidence: () => ({ caseId: berta.id, id: 'nothing' }),
  search: () => ({ text: 'Berta' }),
  correctBirth: () => ({ id: 'nobody', dateOfBirth: '1990-12-10' }),
  openContentNotice: () => ({ id: NO_NOTICE }),
  preserveCase: () => ({ caseId: 'nobody', incidentType: incidentTypeSchema.options[0], seen: 'x' }),
  openPreservation: () => ({ id: 'nothing' }),
  judgePreservation: () => ({ id: 'nothing', isRight: true }),
  exportPreservation: () => ({ id: 'nothing' }),
  recordPreservationSent: () => ({ id: 'nothing', authority: 'x', authorityReference: 'x' }),
  refuseWord: () => ({ word: 'x' }),
  allowWord: () => ({ word: 'x' }),
  answerContentNotice: () => ({ id: NO_NOTICE, outcome: 'declined', text: 'x' }),
}
const names = Object.keys(consoleEndpoints) as ConsoleEndpointName[]
const guarded = names.filter((name) => consoleEndpoints[name].login)

function sendValid<N extends ConsoleEndpointName>(visitor: ConsoleVisitor, name: N): Promise<Response> {
  return visitor.sendToConsole(name, inputs[name]?.() as ConsoleInput<N>)
}

test.each(guarded)('%s refuses a visitor without a login, a user, and a disabled moderator', async (name) => {
  for (const visitor of [consoleVisitor(server), consoleVisitor(server, user), gone])
    expect((await sendValid(visitor, name)).status).toBe(401)
  if (name === 'logout') return
  expect((await sendValid(mia, name)).status).toBe(refused[name] ?? 200)
})

test.each(names.filter((name) => consoleEndpoints[name].method === 'POST'))(
  '%s needs an allowed Origin and the header',
  async (name) => {
    const path = `/api/${consoleEndpoints[name].path}`
    for (const headers of [{ origin: 'https://evil.example.org' }, { origin: '' }, { 'x-requested-with': 'curl' }])
      expect((await mia.fetch(path, { method: 'POST', headers })).status).toBe(403)
  },
)

test('cases are ordered by due day, then by weight', async () => {
  const { cases, open, next } = await mia.requestConsole('readQueue', {})
  expect(cases.map(({ nickName }) => nickName)).toEqual(['Dora', 'Erik', 'Carla', 'Fay', 'Berta'])
  expect({ open, next }).toEqual({ open: 5, next: null })
  expect(cases[0]).toMatchObject({ kinds: ['appeal'], dueAt: now + 2 * DAY_MS, status: 'InReview' })
  expect(cases[2]).toMatchObject({ kinds: ['reports'], reports: 4, reporters: 4, weight: 4 })
})

test.each([
  ['appeal', ['Dora']],
  ['findings', ['Fay']],
] as const)('the queue shows cases of one kind: %s', async (kind, nickNames) => {
  const { cases } = await mia.requestConsole('readQueue', { kind })
  expect(cases.map(({ nickName }) => nickName)).toEqual(nickNames)
})

test('a case shows all facts and no email address', async () => {
  const response = await mia.sendToConsole('readCase', { id: erik.id })
  const text = await response.text()
  expect(text).not.toContain('@')
  const shown = JSON.parse(text)
  expect(shown).toMatchObject({ nickName: 'Erik', status: 'Valid', verdicts: ['dismiss', 'warn', 'suspend', 'block'] })
  expect(shown.openReports).toHaveLength(2)
  expect(shown.openReports[0]).toMatchObject({ callMs: 60_000, upheld: 0, dismissed: 0, weight: 1 })
  expect((await mia.sendToConsole('readCase', { id: 'nobody' })).status).toBe(404)
})

test('a decision changes the status, closes open reports and is in the history with rule, note and moderator', async () => {
  const { version } = await mia.requestConsole('readCase', { id: erik.id })
  const decision = { verdict: 'warn', rule: 'be-respectful', note: 'Insults in both calls' } as const
  expect(await mia.requestConsole('decide', { id: erik.id, version, ...decision })).toEqual({ status: 'Warning' })
  const after = await mia.requestConsole('readCase', { id: erik.id })
  expect(after).toMatchObject({ status: 'Warning', openReports: [], kinds: [] })
  expect(after.closedReports.map(({ outcome }) => outcome)).toEqual(['upheld', 'upheld'])
  expect(after.history[0]).toMatchObject({
    from: 'Valid',
    to: 'Warning',
    by: 'moderator',
    moderator: 'mia',
    rule: 'be-respectful',
    reason: 'Insults in both calls',
  })
  const { cases } = await mia.requestConsole('readQueue', {})
  expect(cases.map(({ id }) => id)).not.toContain(erik.id)
})

test('of two concurrent decisions one is refused', async () => {
  const { version, history } = await mia.requestConsole('readCase', { id: carla.id })
  const statuses = await Promise.all(
    [mia, noa].map(async (moderator, index) => {
      const verdict = index === 0 ? 'suspend' : 'warn'
      const input = { id: carla.id, version, verdict, rule: 'no-spam', note: 'Both at once' } as const
      return (await moderator.sendToConsole('decide', input)).status
    }),
  )
  expect(statuses.toSorted()).toEqual([200, 409])
  const after = await mia.requestConsole('readCase', { id: carla.id })
  expect(after.history).toHaveLength(history.length + 1)
  const stale = { id: carla.id, version, verdict: 'block', rule: 'no-spam', note: 'Too late' } as const
  expect((await noa.sendToConsole('decide', stale)).status).toBe(409)
})

test('a report that arrives after the case was read makes the decision fail', async () => {
  const { version } = await mia.requestConsole('readCase', { id: berta.id })
  await server.edit(async (store) => {
    const report = {
      session: 'new',
      reporter: 'r3',
      reported: berta.id,
      type: 'ReportOnly',
      callMs: 1_000,
      ...confirmedCall,
    } as const
    await store.reports.add({ ...report, at: Date.now() })
  })
  const decision = { id: berta.id, verdict: 'dismiss', rule: 'guidelines', note: 'Nothing in it' } as const
  expect((await mia.sendToConsole('decide', { ...decision, version })).status).toBe(409)
  const again = await mia.requestConsole('readCase', { id: berta.id })
  expect(await mia.requestConsole('decide', { ...decision, version: again.version })).toEqual({ status: 'Valid' })
})

test('a verdict that the status does not allow is refused', async () => {
  const { version, verdicts } = await mia.requestConsole('readCase', { id: fay.id })
  expect(verdicts).not.toContain('restore')
  const restore = { id: fay.id, version, verdict: 'restore', rule: 'guidelines', note: 'x' } as const
  expect((await mia.sendToConsole('decide', restore)).status).toBe(409)
})

test('search finds by the beginning of a nickname or case id, and by a whole e-mail address alone', async () => {
  const found = async (text: string) =>
    (await mia.requestConsole('search', { text })).cases.map(({ nickName }) => nickName)
  expect(await found('doR')).toEqual(['Dora'])
  expect(await found(dora.id.slice(0, 8))).toEqual(['Dora'])
  expect(await found(`${dora.id.toUpperCase()}@Example.org`)).toEqual(['Dora'])
  expect(await found(`${dora.id}@example`)).toEqual([])
  expect(await found('ora')).toEqual([])
  expect(await found('%o')).toEqual([])
  expect((await mia.sendToConsole('search', { text: 'x' })).status).toBe(400)
})

test('every action and every view is in the audit: moderator, action, account, time and login session', async () => {
  await mia.requestConsole('readCase', { id: dora.id })
  await mia.requestConsole('search', { text: `${dora.id}@example.org` })
  const lines = (await operatorCommand(dataDir, { do: 'audit' })).split('\n')
  const line = (...parts: string[]) =>
    lines.filter(
      (text) => parts.every((part) => text.includes(`  ${part}`)) && /^\d{4}-.*Z {2}mia {2}[\w-]{36} {2}/.test(text),
    )
  expect(line('login')).not.toEqual([])
  expect(line('case-opened', dora.id)).not.toEqual([])
  expect(line('decide', erik.id, 'warn be-respectful')).toHaveLength(1)
  expect(line('search', dora.id, 'by e-mail: 1 found')).not.toEqual([])
  expect(lines.join('\n')).not.toContain('@example')
})

test('statistics count open cases and decisions', async () => {
  const statistics = await mia.requestConsole('readStatistics', undefined)
  expect(statistics).toMatchObject({
    open: 2,
    appeals: 1,
    overdue: 0,
    oldestAt: now - 8 * DAY_MS,
    decided: 3,
    upheld: 2,
  })
  expect(statistics.days.at(-1)).toMatchObject({ decided: 3, upheld: 2 })
  expect(statistics.medianMs).toBeGreaterThan(HOUR_MS - 1)
})
