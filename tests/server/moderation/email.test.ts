import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { type Language, languages, offeredLanguages, PSEUDO_LANGUAGE } from '#protocol/languages.ts'
import { reviewOutcomeSchema } from '#protocol/moderation.ts'
import type { Account } from '../../../server/accounts/rules/ports.ts'
import { createEmailSender } from '../../../server/moderation/rules/email-outbox.ts'
import { emailFor } from '../../../server/moderation/rules/emails.ts'
import type { Outbox, QueuedEmail } from '../../../server/moderation/rules/ports.ts'
import { createSmtpEmail } from '../../../server/platform/email/smtp-email.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { startFakeSmtp } from '../../support/servers/fake-smtp.ts'
import { signIn, startServer } from '../../support/servers/server.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'

async function mailServer() {
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

/** One letter to Ada in an outbox in memory, and its postman. */
function postOf(url: string, account: Account | null = ada) {
  const clock = { at: 0 }
  const letters: (QueuedEmail & { nextAt: number })[] = [
    { id: 'letter-1', accountId: 'ada', outcome: 'restored', attempts: 0, nextAt: 0 },
  ]
  const outbox: Outbox = {
    due: async (now) => letters.filter(({ nextAt }) => nextAt <= now),
    take: async (id, now, until) => {
      const letter = letters.find((one) => one.id === id && one.nextAt <= now)
      if (letter) letter.nextAt = until
      return letter !== undefined
    },
    remove: async (id) =>
      void letters.splice(
        letters.findIndex((letter) => letter.id === id),
        1,
      ),
    putOff: async (id, until) => {
      for (const letter of letters)
        if (letter.id === id) Object.assign(letter, { nextAt: until, attempts: letter.attempts + 1 })
    },
  }
  const carry = createEmailSender({
    outbox,
    accounts: { find: async () => account },
    transport: createSmtpEmail(url, { name: 'Waggle', address: 'hello@waggle.example' }),
    clock: { now: () => clock.at },
    origin: () => 'https://waggle.example',
  })
  return { clock, letters, carry: () => carry(() => false) }
}

test('a letter goes to its person once, under a name of its own, and says where to look', async () => {
  const smtp = await mailServer()
  const { carry, letters } = postOf(smtp.url)
  await carry()
  await carry()
  expect(smtp.taken).toHaveLength(1)
  expect(smtp.taken[0]?.to).toBe('ada@example.org')
  for (const words of ['Message-ID: <letter-1@waggle.example>', 'Your account is open again', 'https://waggle.example'])
    expect(smtp.taken[0]?.text).toContain(words)
  expect(letters).toEqual([])
})

test('what the mail server does not take now is tried again, each time later, and given up at last', async () => {
  const smtp = await mailServer()
  smtp.state.refuse = '451 later'
  const { carry, letters, clock } = postOf(smtp.url)
  await expect(carry()).rejects.toThrow('EENVELOPE 451')
  expect(letters).toMatchObject([{ attempts: 1, nextAt: 60_000 }])
  await carry()
  expect(smtp.state.attempts).toBe(1)
  clock.at = 60_000
  await expect(carry()).rejects.toThrow()
  expect(letters).toMatchObject([{ attempts: 2, nextAt: 180_000 }])
  smtp.state.refuse = null
  clock.at = 180_000
  await carry()
  expect([smtp.taken.length, letters.length]).toEqual([1, 0])

  smtp.state.refuse = '451 later'
  const hopeless = postOf(smtp.url)
  while (hopeless.letters.length > 0) {
    hopeless.clock.at += DAY_MS
    await expect(hopeless.carry()).rejects.toThrow()
  }
  expect(smtp.state.attempts).toBe(3 + 20)
})

test('an address that does not exist is not tried again, and no fault names it', async () => {
  const smtp = await mailServer()
  smtp.state.refuse = '550 no ada@example.org here'
  const { carry, letters } = postOf(smtp.url)
  await carry()
  expect(letters).toEqual([])
  smtp.state.refuse = '451 ada@example.org is busy'
  await expect(postOf(smtp.url).carry()).rejects.not.toThrow('ada')
})

test('a mail server that is not there loses nothing, and nobody writes to who has gone', async () => {
  const away = postOf('smtp://127.0.0.1:1')
  await expect(away.carry()).rejects.toThrow('ESOCKET')
  expect(away.letters).toHaveLength(1)
  const smtp = await mailServer()
  const gone = postOf(smtp.url, null)
  await gone.carry()
  expect([smtp.state.attempts, gone.letters.length]).toEqual([0, 0])
})

/** Somebody whose suspension was over a while ago, on a server that has just noticed. */
async function freed(env: Record<string, string>, language: Language = 'en') {
  const clock = movableClock()
  const server = await startServer(env, { clock })
  onTestFinished(server.stop)
  await signIn(server, { email: 'ada@example.org', language })
  await server.edit(async (store) => {
    await putStatus(store, await accountOf(store, 'ada@example.org'), 'Appeal', { until: 1 })
  })
  const person = await signIn(server, { email: 'ada@example.org', language })
  const status = async () => (await person.call('readBlockStatus', { userEmailAddress: person.email })).status
  await expect.poll(status).toBe('Warning')
  return { server, clock }
}

test('what waits when the server ends is sent by the next one', async () => {
  const smtp = await mailServer()
  smtp.state.refuse = '451 later'
  const { server, clock } = await freed({ SMTP_URL: smtp.url })
  await server.restart()
  await smtp.until(() => smtp.state.attempts === 1)
  smtp.state.refuse = null
  await server.restart()
  clock.forward(60_000)
  await server.restart()
  await smtp.until(() => smtp.taken.length === 1)
  expect(smtp.taken[0]?.text).toContain('suspension of your account is over')
})

test('a letter is in the language in which its person last signed in', async () => {
  const smtp = await mailServer()
  const { server } = await freed({ SMTP_URL: smtp.url }, 'es')
  await server.restart()
  await smtp.until(() => smtp.taken.length === 1)
  expect(smtp.taken[0]?.text).toContain('ha terminado')
})

test('an appeal tells in which language to answer', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  const person = await signIn(server, { email: 'ada@example.org' })
  await server.edit(async (store) => putStatus(store, await accountOf(store, person.email), 'Appeal'))
  person.cookies.set('language', 'es')
  await person.call('appeal', { UserEmailAddress: person.email })
  await server.edit(async (store) => {
    expect((await accountOf(store, person.email)).language).toBe('es')
  })
})

test.for(reviewOutcomeSchema.options)('a letter that says "%s" says it in every language', (outcome) => {
  const origin = 'https://waggle.example'
  const letters = languages.map((language) => emailFor(outcome, language, origin))
  expect(new Set(letters.map(({ text }) => text)).size).toBe(Object.keys(offeredLanguages).length)
  expect(emailFor(outcome, PSEUDO_LANGUAGE, origin)).toEqual(emailFor(outcome, 'en', origin))
  for (const { text } of letters) expect(text).toContain(origin)
})

test('without a mail server nothing is written', async () => {
  const { server } = await freed({})
  await server.edit(async (store) => {
    expect(await store.outbox.due(Number.MAX_SAFE_INTEGER)).toEqual([])
    const { id } = await accountOf(store, 'ada@example.org')
    expect(await store.cases.notice(id)).toMatchObject({ outcome: 'ended' })
  })
})
