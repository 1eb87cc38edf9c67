import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { createAnswerSender } from '../../../server/notices/rules/answer-email.ts'
import { openEmail } from '../../../server/platform/email/open-email.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { startFakeSmtp } from '../../support/servers/fake-smtp.ts'
import { readMetrics } from '../../support/servers/read-metrics.ts'
import { newVisitor, startServer } from '../../support/servers/server.ts'
import { contentNotice } from '../../support/stores/content-notice.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { addModerator, logIn, operatorCommand } from '../../support/stores/moderators.ts'
import { backends } from '../../support/stores/stores.ts'

async function serverWithDesk(env: Record<string, string> = {}) {
  const dataDir = await migratedFolder()
  const clock = movableClock()
  const server = await startServer(env, { dataDir, clock })
  onTestFinished(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const mia = await logIn(server, await addModerator(dataDir, 'mia'))
  const audit = async () =>
    (await operatorCommand(dataDir, { do: 'audit' })).split('\n').filter((line) => line.includes('notice-'))
  return { server, clock, mia, audit, zoe: newVisitor(server) }
}

const hostile = "<script>alert(1)</script> <img src=x onerror=alert(1)> {{7*7}} ' OR 1=1 --\nMañana 語"

test('a notice goes from the form over the console to its answer, without a login, and each step is in the audit', async () => {
  const { server, clock, mia, audit, zoe } = await serverWithDesk()
  const sent = contentNotice({
    description: hostile,
    time: '23:59',
    link: 'https://example.org/<b>'.replace('<b>', 'b'),
  })
  const at = clock.now()
  const receipt = await zoe.request('sendContentNotice', sent)
  expect(receipt).toEqual({
    reference: expect.stringMatching(/^[0-9A-F]{12}$/),
    kind: 'intimate-picture',
    at,
    dueAt: at + 48 * HOUR_MS,
  })
  expect(zoe.cookies.size).toBe(0)
  const own = { reference: receipt.reference, email: sent.email }
  expect(await zoe.request('readContentNotice', own)).toEqual({ ...receipt, answer: null })

  const { notices, open } = await mia.requestConsole('readContentNotices', undefined)
  expect([open, notices]).toEqual([1, [{ id: notices[0]?.id, ...receipt }]])
  const id = notices[0]?.id ?? ''
  expect(await mia.requestConsole('openContentNotice', { id })).toMatchObject({
    description: hostile,
    email: 'zoe@example.org',
    time: '23:59',
    answer: null,
    emailState: 'off',
  })
  const answered = await mia.requestConsole('answerContentNotice', {
    id,
    outcome: 'acted',
    text: 'The account is closed.',
  })
  expect(answered).toMatchObject({ answer: { outcome: 'acted', moderator: 'mia' }, emailState: 'off' })
  expect((await mia.sendToConsole('answerContentNotice', { id, outcome: 'declined', text: 'x' })).status).toBe(409)
  expect(await mia.requestConsole('readContentNotices', undefined)).toEqual({ notices: [], open: 0 })
  expect((await zoe.request('readContentNotice', own)).answer).toEqual({
    outcome: 'acted',
    text: 'The account is closed.',
    at: clock.now(),
  })

  expect((await zoe.send('deleteContentNotice', { ...own, email: 'eve@example.org' })).status).toBe(404)
  await zoe.request('deleteContentNotice', own)
  expect((await zoe.send('readContentNotice', own)).status).toBe(404)
  expect((await mia.sendToConsole('openContentNotice', { id })).status).toBe(404)
  const actions = (await audit()).map((line) => /notice-[\w-]+/.exec(line)?.[0])
  expect(actions.sort()).toEqual(['notice-answered', 'notice-deleted', 'notice-opened', 'notice-received'])
  for (const line of await audit()) expect(line).not.toMatch(/zoe|alert|closed/)
  expect((await newVisitor(server).send('readContentNotice', own)).status).toBe(404)
})

test('the console and the metrics have the notices by deadline: open, near, overdue', async () => {
  const { server, clock, mia, zoe } = await serverWithDesk()
  const counts = async () => {
    const metric = await readMetrics(server)
    return ['open', 'near', 'overdue'].map((state) => metric(`waggle_content_notices{state="${state}"}`))
  }
  const week = await zoe.request('sendContentNotice', contentNotice({ kind: 'impersonation' }))
  const urgent = await zoe.request('sendContentNotice', contentNotice())
  const order = async () =>
    (await mia.requestConsole('readContentNotices', undefined)).notices.map(({ reference }) => reference)
  expect(await order()).toEqual([urgent.reference, week.reference])
  expect(await counts()).toEqual([2, 0, 0])
  clock.forward(DAY_MS + 1)
  expect(await counts()).toEqual([2, 1, 0])
  clock.forward(DAY_MS)
  expect(await counts()).toEqual([2, 1, 1])
  clock.forward(5 * DAY_MS)
  expect(await counts()).toEqual([2, 2, 2])
})

test('a repeat of a request is one notice, also when both come at once', async () => {
  const { zoe, mia } = await serverWithDesk()
  const sent = contentNotice()
  const receipts = await Promise.all(Array.from({ length: 8 }, () => zoe.request('sendContentNotice', sent)))
  expect(new Set(receipts.map(({ reference }) => reference)).size).toBe(1)
  expect((await mia.requestConsole('readContentNotices', undefined)).open).toBe(1)
  expect((await zoe.send('sendContentNotice', { ...sent, email: 'eve@example.org' })).status).toBe(409)
})

test('wrong, oversized and too many forms are refused by the name of the field or by the limit', async () => {
  const { server, zoe, mia } = await serverWithDesk({ TRUST_PROXY: '127.0.0.1' })
  const refusal = async (change: object) => {
    const response = await zoe.send('sendContentNotice', contentNotice(change))
    return [response.status, ((await response.json()) as { field?: string }).field]
  }
  expect(await refusal({ description: 'x'.repeat(2_001) })).toEqual([400, 'description'])
  expect(await refusal({ description: 'a\u0000b' })).toEqual([400, 'description'])
  expect(await refusal({ description: 'x'.repeat(40_000) })).toEqual([413, undefined])
  expect(await refusal({ isTrue: false })).toEqual([400, 'isTrue'])
  expect(await refusal({ day: '2999-01-01' })).toEqual([400, 'day'])
  const foreign = await fetch(`${server.origin}/api/content-notice/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
    body: JSON.stringify(contentNotice()),
  })
  expect(foreign.status).toBe(403)
  const from = newVisitor(server, { 'x-forwarded-for': '192.0.2.7' })
  const statuses = new Map<number, number>()
  for (let sent = 0; sent < 30; sent += 1) {
    const { status } = await from.send('sendContentNotice', contentNotice())
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [200, 20],
    [429, 10],
  ])
  const elsewhere = newVisitor(server, { 'x-forwarded-for': '198.51.100.7' })
  expect((await elsewhere.send('sendContentNotice', contentNotice())).status).toBe(200)
  expect((await mia.requestConsole('readContentNotices', undefined)).open).toBe(21)
})

test('notices survive a restart, and a console without a login has none', async () => {
  const { server, zoe, mia } = await serverWithDesk()
  const { reference } = await zoe.request('sendContentNotice', contentNotice())
  await server.restart()
  expect(await zoe.request('readContentNotice', { reference, email: 'zoe@example.org' })).toMatchObject({ reference })
  mia.cookies.clear()
  expect((await mia.sendToConsole('readContentNotices', undefined)).status).toBe(401)
  expect((await mia.sendToConsole('openContentNotice', { id: randomUUID() })).status).toBe(401)
})

test('with a mail server the console says that the answer is on its way', async () => {
  const smtp = await startFakeSmtp()
  onTestFinished(() => smtp.stop())
  const { zoe, mia } = await serverWithDesk({ SMTP_URL: smtp.url, CONTACT_EMAIL: 'hello@waggle.example' })
  await zoe.request('sendContentNotice', contentNotice())
  const id = (await mia.requestConsole('readContentNotices', undefined)).notices[0]?.id ?? ''
  const answer = { id, outcome: 'declined', text: 'It is not on our service.' } as const
  expect(await mia.requestConsole('answerContentNotice', answer)).toMatchObject({ emailState: 'waiting' })
})

test.each(backends)(
  'the answer is emailed once in the language of the person, and a refused address is not tried again ($name)',
  async ({ make }) => {
    const smtp = await startFakeSmtp()
    const backend = await make()
    const store = await backend.open()
    onTestFinished(async () => {
      await smtp.stop()
      await store.close()
      await backend.remove()
    })
    const facts = {
      kind: 'intimate-picture',
      language: 'es',
      day: '2026-01-01',
      time: null,
      link: null,
      signature: null,
      isGoodFaith: false,
    } as const
    for (const name of ['zoe', 'gone']) {
      const notice = { ...facts, id: name, reference: `0A1B2C3D4E5${name.length}`, requestKey: name, at: 1, dueAt: 2 }
      await store.contentNotices.add({ ...notice, email: `${name}@example.org`, description: 'A secret' })
      await store.contentNotices.answer(name, { outcome: 'acted', text: 'Cerrada.', at: 3, moderator: 'mia' }, 3)
    }
    const actions: string[] = []
    const send = createAnswerSender({
      records: store.contentNotices,
      emails: store.noticeEmails,
      audit: { add: async ({ action }) => void actions.push(action) },
      transport: await openEmail({ url: smtp.url, sender: 'hello@waggle.example' }),
      clock: { now: () => 5 },
      pageAddress: () => 'https://waggle.example/report-content',
    })
    const reserve = store.noticeEmails.reserve
    store.noticeEmails.reserve = async (id, now, until) => {
      smtp.state.refuse = id === 'gone' ? '550 nobody here' : null
      return reserve(id, now, until)
    }
    await send(() => false)
    await send(() => false)
    expect(smtp.taken.map(({ to }) => to)).toEqual(['zoe@example.org'])
    const text = smtp.taken[0]?.text.replaceAll('=\r\n', '') ?? ''
    for (const words of ['Cerrada.', 'https://waggle.example/report-content', '0A1B-2C3D-4E53'])
      expect(text).toContain(words)
    expect(text).not.toContain('A secret')
    expect(actions.sort()).toEqual(['notice-answer-refused', 'notice-answer-sent'])
    expect(await store.contentNotices.find('id', 'zoe')).toMatchObject({ emailIsWaiting: false, emailedAt: 5 })
    expect(await store.contentNotices.find('id', 'gone')).toMatchObject({ emailIsWaiting: false, emailedAt: null })
  },
)
