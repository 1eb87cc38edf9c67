import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { type Language, languages, offeredLanguages, PSEUDO_LANGUAGE } from '#protocol/languages.ts'
import { reviewOutcomeSchema } from '#protocol/moderation.ts'
import type { Account } from '../../../server/accounts/rules/ports.ts'
import { createEmailSender } from '../../../server/moderation/rules/email-outbox.ts'
import { emailFor } from '../../../server/moderation/rules/emails.ts'
import type { EmailOutbox, QueuedEmail } from '../../../server/moderation/rules/ports.ts'
import { openEmail } from '../../../server/platform/email/open-email.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { startFakeSmtp } from '../../support/servers/fake-smtp.ts'
import { signIn, startServer } from '../../support/servers/server.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'

async function startMailServer() {
  const smtp = await startFakeSmtp()
  onTestFinished(smtp.stop)
  return smtp
}

const ada: Account = {
  id: 'ada',
  provider: 'Google',
  subject: 'ada',
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'L',
  status: 'Valid',
  loginsSince: 0,
  language: 'en',
}

/** An in-memory outbox with one email to Ada, and its sender. */
async function outboxOf(url: string, account: Account | null = ada) {
  const clock = { at: 0 }
  const emails: (QueuedEmail & { nextAt: number })[] = [
    { id: 'email-1', accountId: 'ada', outcome: 'restored', attempts: 0, nextAt: 0 },
  ]
  const outbox: EmailOutbox = {
    due: async (now) => emails.filter(({ nextAt }) => nextAt <= now),
    reserve: async (id, now, until) => {
      const email = emails.find((one) => one.id === id && one.nextAt <= now)
      if (email) email.nextAt = until
      return email !== undefined
    },
    remove: async (id) =>
      void emails.splice(
        emails.findIndex((email) => email.id === id),
        1,
      ),
    postpone: async (id, until) => {
      for (const email of emails)
        if (email.id === id) Object.assign(email, { nextAt: until, attempts: email.attempts + 1 })
    },
  }
  const send = createEmailSender({
    outbox,
    accounts: { find: async () => account },
    transport: await openEmail({ url, sender: 'hello@waggle.example' }),
    clock: { now: () => clock.at },
    origin: () => 'https://waggle.example',
  })
  return { clock, emails, send: () => send(() => false) }
}

test('an email is sent once, with a Message-ID of its own and the address of the site', async () => {
  const smtp = await startMailServer()
  const { send, emails } = await outboxOf(smtp.url)
  await send()
  await send()
  expect(smtp.taken).toHaveLength(1)
  expect(smtp.taken[0]?.to).toBe('ada@example.org')
  for (const words of ['Message-ID: <email-1@waggle.example>', 'Your account is open again', 'https://waggle.example'])
    expect(smtp.taken[0]?.text).toContain(words)
  expect(emails).toEqual([])
})

test('an email that the mail server defers is retried after growing pauses, and given up after 20 attempts', async () => {
  const smtp = await startMailServer()
  smtp.state.refuse = '451 later'
  const { send, emails, clock } = await outboxOf(smtp.url)
  await expect(send()).rejects.toThrow('EENVELOPE 451')
  expect(emails).toMatchObject([{ attempts: 1, nextAt: 60_000 }])
  await send()
  expect(smtp.state.attempts).toBe(1)
  clock.at = 60_000
  await expect(send()).rejects.toThrow()
  expect(emails).toMatchObject([{ attempts: 2, nextAt: 180_000 }])
  smtp.state.refuse = null
  clock.at = 180_000
  await send()
  expect([smtp.taken.length, emails.length]).toEqual([1, 0])

  smtp.state.refuse = '451 later'
  const hopeless = await outboxOf(smtp.url)
  while (hopeless.emails.length > 0) {
    hopeless.clock.at += DAY_MS
    await expect(hopeless.send()).rejects.toThrow()
  }
  expect(smtp.state.attempts).toBe(3 + 20)
})

test('an address that does not exist is not retried, and no error contains an address', async () => {
  const smtp = await startMailServer()
  smtp.state.refuse = '550 no ada@example.org here'
  const { send, emails } = await outboxOf(smtp.url)
  await send()
  expect(emails).toEqual([])
  smtp.state.refuse = '451 ada@example.org is busy'
  await expect((await outboxOf(smtp.url)).send()).rejects.not.toThrow('ada')
})

test('an unreachable mail server loses no email, and a deleted account receives none', async () => {
  const away = await outboxOf('smtp://127.0.0.1:1')
  await expect(away.send()).rejects.toThrow('ESOCKET')
  expect(away.emails).toHaveLength(1)
  const smtp = await startMailServer()
  const gone = await outboxOf(smtp.url, null)
  await gone.send()
  expect([smtp.state.attempts, gone.emails.length]).toEqual([0, 0])
})

/** Starts a server with a user whose suspension has just ended. */
async function endSuspension(env: Record<string, string>, language: Language = 'en') {
  const clock = movableClock()
  const server = await startServer(env, { clock })
  onTestFinished(server.stop)
  await signIn(server, { email: 'ada@example.org', language })
  await server.edit(async (store) => {
    await putStatus(store, await accountOf(store, 'ada@example.org'), 'Appeal', { until: 1 })
  })
  const person = await signIn(server, { email: 'ada@example.org', language })
  const status = async () => (await person.request('readBlockStatus', { userEmailAddress: person.email })).status
  await expect.poll(status).toBe('Warning')
  return { server, clock }
}

test('an email that is queued when the server stops is sent after the restart', async () => {
  const smtp = await startMailServer()
  smtp.state.refuse = '451 later'
  const { server, clock } = await endSuspension({ SMTP_URL: smtp.url, CONTACT_EMAIL: 'help@example.org' })
  await server.restart()
  await smtp.until(() => smtp.state.attempts === 1)
  smtp.state.refuse = null
  await server.restart()
  clock.forward(60_000)
  await server.restart()
  await smtp.until(() => smtp.taken.length === 1)
  expect(smtp.taken[0]?.text).toContain('suspension of your account is over')
})

test('an email is in the language of the last sign-in', async () => {
  const smtp = await startMailServer()
  const { server } = await endSuspension({ SMTP_URL: smtp.url, CONTACT_EMAIL: 'help@example.org' }, 'es')
  await server.restart()
  await smtp.until(() => smtp.taken.length === 1)
  expect(smtp.taken[0]?.text).toContain('ha terminado')
})

test('an appeal stores the language for the email about it', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  const person = await signIn(server, { email: 'ada@example.org' })
  await server.edit(async (store) => putStatus(store, await accountOf(store, person.email), 'Appeal'))
  person.cookies.set('language', 'es')
  await person.request('appeal', { UserEmailAddress: person.email })
  await server.edit(async (store) => {
    expect((await accountOf(store, person.email)).language).toBe('es')
  })
})

test.for(reviewOutcomeSchema.options)('the email about the outcome "%s" exists in every language', (outcome) => {
  const origin = 'https://waggle.example'
  const emails = languages.map((language) => emailFor(outcome, language, origin))
  expect(new Set(emails.map(({ text }) => text)).size).toBe(Object.keys(offeredLanguages).length)
  expect(emailFor(outcome, PSEUDO_LANGUAGE, origin)).toEqual(emailFor(outcome, 'en', origin))
  for (const { text } of emails) expect(text).toContain(origin)
})

test('without a mail server no email is queued', async () => {
  const { server } = await endSuspension({})
  await server.edit(async (store) => {
    expect(await store.outbox.due(Number.MAX_SAFE_INTEGER)).toEqual([])
    const { id } = await accountOf(store, 'ada@example.org')
    expect(await store.cases.notice(id)).toMatchObject({ outcome: 'ended' })
  })
})
