import { createHash } from 'node:crypto'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CONTENT_NOTICE_LINK_MAX,
  CONTENT_NOTICE_TEXT_MAX,
  contentNoticeSchema,
  type NoticeChallenge,
  type NoticeProof,
  referenceSchema,
  shownReference,
} from '#protocol/content-notices.ts'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { parse, tryParse } from '#protocol/parse.ts'
import { sized } from '../../../../scripts/test-limits.ts'
import {
  FIRST_NOTICES_AN_HOUR,
  FIRST_NOTICES_OF_A_WIDE_NETWORK,
  NOTICES_AN_HOUR,
  NOTICES_OF_A_NETWORK,
  NOTICES_OF_A_WIDE_NETWORK,
  PROVEN_NOTICES_AN_HOUR,
  PROVEN_NOTICES_OF_A_WIDE_NETWORK,
} from '../../../../server/notices/rules/notice-limits.ts'
import { createNotices } from '../../../../server/notices/rules/notices.ts'
import type { NewNotice, StoredNotice } from '../../../../server/notices/rules/ports.ts'
import { createProofs, LEVEL_MAX } from '../../../../server/notices/rules/proofs.ts'
import { keyedDigest } from '../../../../server/platform/crypto.ts'
import { LocalCounts } from '../../../../server/platform/rules/counts.ts'
import { runSeed } from '../../../support/run-seed.ts'
import { contentNotice } from '../../../support/stores/content-notice.ts'

/** What a browser answers a challenge with. */
async function solved(challenge: NoticeChallenge | null): Promise<NoticeProof> {
  const solution = challenge && (await solveChallenge({ challenge, deriveKey }))
  if (!solution) throw new Error('there is no challenge, or no solution')
  return { challenge, solution }
}

const paid: NoticeProof = {
  challenge: {
    parameters: {
      algorithm: 'PBKDF2/SHA-256',
      nonce: '00',
      salt: '00',
      cost: 1,
      keyLength: 32,
      keyPrefix: '00',
      keySignature: '00',
      data: { endsAt: 0, level: 1 },
    },
    signature: '00',
  },
  solution: { counter: 0, derivedKey: '00' },
}

/** The rules over records in memory, with a clock that the test sets. */
function notices() {
  const clock = { at: Date.parse('2026-03-01T12:00:00Z') }
  const kept: (NewNotice & StoredNotice)[] = []
  const audit: string[] = []
  let ids = 0
  const counts = new LocalCounts(() => clock.at)
  const proofs = createProofs({ digest: keyedDigest('a secret'), counts, clock: { now: () => clock.at } })
  const rules = createNotices({
    records: {
      async add(notice) {
        if (kept.some(({ requestKey }) => requestKey === notice.requestKey)) return false
        kept.push({ ...notice, answer: null, emailIsWaiting: false, emailedAt: null })
        return true
      },
      find: async (by, value) => kept.find((notice) => notice[by] === value) ?? null,
      async remove(id) {
        const index = kept.findIndex((notice) => notice.id === id)
        kept.splice(index, 1)
        return index >= 0
      },
    },
    audit: { add: async ({ action, what }) => void audit.push(`${action} ${what}`) },
    counts,
    // For floods that are paid for: each proof of a flood would take a second.
    proofs: {
      ...proofs,
      take: async (proof, level) =>
        proof.challenge.signature === paid.challenge.signature || (await proofs.take(proof, level)),
    },
    clock: { now: () => clock.at },
    newId() {
      ids += 1
      return `id-${ids}`
    },
    newReference: () => createHash('sha256').update(String(ids)).digest('hex').slice(0, 12).toUpperCase(),
  })
  const send = (change: Parameters<typeof contentNotice>[0] = {}, address = '192.0.2.7') =>
    rules.send(parse(contentNoticeSchema, contentNotice(change)), 'en', address)
  return { clock, kept, audit, rules, send }
}

test('an intimate picture is due after 48 hours, an impersonation after 7 days, to the millisecond', async () => {
  const { clock, send } = notices()
  const at = clock.at
  expect(await send()).toMatchObject({ at, dueAt: at + 48 * HOUR_MS })
  clock.at += 1
  expect(await send({ kind: 'impersonation' })).toMatchObject({ at: at + 1, dueAt: at + 1 + 7 * DAY_MS })
})

test('a repeat gets the first receipt, with the first deadline, and is kept and counted once', async () => {
  const { clock, kept, audit, send } = notices()
  const key = 'a'.repeat(36)
  const first = await send({ key })
  clock.at += HOUR_MS
  const repeats = await Promise.all(Array.from({ length: 2 * NOTICES_AN_HOUR }, () => send({ key, description: 'x' })))
  for (const repeat of repeats) expect(repeat).toEqual(first)
  expect(kept).toHaveLength(1)
  expect(audit).toEqual([`notice-received ${first.reference} intimate-picture`])
  await expect(send({ key, email: 'eve@example.org' })).rejects.toMatchObject({ code: 'wrong-state' })
})

test('signature and statement are kept, and a notice of an earlier page has neither and the same deadline', async () => {
  const { kept, send } = notices()
  const signed = await send({ signature: ' Zoë Ünal ', isGoodFaith: true })
  expect(await send()).toMatchObject({ dueAt: signed.dueAt })
  expect(kept.map(({ signature, isGoodFaith }) => [signature, isGoodFaith])).toEqual([
    ['Zoë Ünal', true],
    [null, false],
  ])
})

test('a date may be that of the farthest time zone, and no later one', async () => {
  const { send } = notices()
  await expect(send({ day: '2026-03-02' })).resolves.toMatchObject({})
  await expect(send({ day: '2026-03-03' })).rejects.toMatchObject({ code: 'bad-request', details: { field: 'day' } })
})

test('a notice is read and deleted only with its number and its e-mail address, in any case', async () => {
  const { kept, audit, rules, send } = notices()
  const { reference } = await send()
  const own = { reference, email: 'ZOE@example.org' }
  expect(await rules.read(own)).toMatchObject({ reference, answer: null })
  for (const other of [
    { ...own, email: 'eve@example.org' },
    { ...own, reference: '0'.repeat(12) },
  ]) {
    await expect(rules.read(other)).rejects.toMatchObject({ code: 'not-found' })
    await expect(rules.remove(other)).rejects.toMatchObject({ code: 'not-found' })
  }
  await rules.remove(own)
  expect(kept).toEqual([])
  expect(audit.at(-1)).toBe(`notice-deleted ${reference}, without an answer`)
})

test('a number is read as people type it', () => {
  expect(parse(referenceSchema, ' 0a1b-2c3d 4e5f')).toBe('0A1B2C3D4E5F')
  expect(shownReference('0A1B2C3D4E5F')).toBe('0A1B-2C3D-4E5F')
})

test.each([
  ['description', { description: 'x'.repeat(CONTENT_NOTICE_TEXT_MAX + 1) }, /at most 2000 characters/],
  ['description', { description: ' \n ' }, /needed/],
  ['description', { description: 'a\u0000b' }, /control/],
  ['description', { description: 'a\u202eb' }, /control/],
  ['description', { description: 'a\ud800b' }, /control/],
  ['link', { link: `https://${'x'.repeat(CONTENT_NOTICE_LINK_MAX)}` }, /at most 500 characters/],
  ['link', { link: 'javascript:alert(1)' }, /https/],
  ['link', { link: 'javascript://x/%0aalert(1)' }, /https/],
  ['link', { link: 'https://a.example/"onclick=' }, /https/],
  ['link', { link: 'https://bank.example@evil.example/' }, /no @ before the name/],
  ['link', { link: 'https://bank.example:443@evil.example' }, /no @ before the name/],
  ['link', { link: 'https:///bank.example@evil.example' }, /no @ before the name/],
  ['email', { email: 'zoe@example.org\r\nBcc: all@example.org' }, /e-mail address is needed/],
  ['time', { time: '24:00' }, /HH:mm/],
  ['day', { day: '2026-02-30' }, /does not exist/],
  ['signature', { signature: ' ' }, /full name/],
  ['signature', { signature: 'Zoë\nÜnal' }, /control/],
  ['isGoodFaith', { isGoodFaith: false as never }, /statement/],
  ['key', { key: 'short' }, /key/],
] as const)('a wrong %s is refused by its name (%o)', (field, change, words) => {
  const parsed = tryParse(contentNoticeSchema, contentNotice(change))
  const issue = parsed.success ? undefined : parsed.issues[0]
  expect(issue?.path?.[0]?.key).toBe(field)
  expect(issue?.message).toMatch(words)
})

test('what a person may write stays as it was written', () => {
  const description = '<script>alert(1)</script>\n\tMañana 語 👋🏽 \u2028 “x” & <b>'
  expect(parse(contentNoticeSchema, contentNotice({ description })).description).toBe(description)
})

/** A form that a program sends: right, forged, oversized, or one that was sent before. */
const anyForm = fc.oneof(
  fc.record({
    // A day that the form allows and the rules refuse.
    form: fc.constantFrom({}, {}, {}, { day: '9999-12-31' }),
    key: fc.oneof(fc.integer({ min: 0, max: 50 }), { weight: 4, arbitrary: fc.integer({ min: 0, max: 100_000 }) }),
  }),
  fc.record({
    form: fc.record(
      {
        kind: fc.oneof(fc.constantFrom('impersonation', 'intimate-picture'), fc.string()),
        email: fc.oneof(fc.emailAddress(), fc.string(), fc.constant('x'.repeat(10_000))),
        description: fc.oneof(
          fc.string({ unit: 'binary', maxLength: 50 }),
          fc.constant('x'.repeat(100_000)),
          fc.constant('\u0000'),
          fc.jsonValue(),
        ),
        link: fc.oneof(fc.webUrl(), fc.string(), fc.constant('javascript:alert(1)')),
        day: fc.oneof(fc.constantFrom('2026-01-02', '9999-12-31', '0001-01-01'), fc.jsonValue()),
        isTrue: fc.boolean(),
        __proto__: fc.anything(),
      },
      { requiredKeys: [] },
    ),
    key: fc.integer({ min: 0, max: 500 }),
  }),
)

const FORMS = sized(2_000, 20_000)

test(`${FORMS} forms of any kind, TEST_SEED ${runSeed}: each is refused by a rule or kept once, and never more than an hour allows`, async () => {
  const { clock, kept, rules } = notices()
  const refusals = new Set<string>()
  const forms = fc.sample(anyForm, { numRuns: FORMS, seed: runSeed })
  for (const { form, key } of forms) {
    clock.at += HOUR_MS / FORMS / 2
    const parsed = tryParse(contentNoticeSchema, { ...contentNotice(), ...form, key: `key-of-the-form-${key}-00000` })
    if (!parsed.success) {
      refusals.add('schema')
      continue
    }
    await rules
      .send(parsed.output, 'en', `${10 + (key % 200)}.0.0.1`)
      .catch(({ code }: { code: string }) => refusals.add(code))
  }
  expect(new Set(kept.map(({ requestKey }) => requestKey)).size).toBe(kept.length)
  expect(new Set(kept.map(({ reference }) => reference)).size).toBe(kept.length)
  for (const notice of kept) {
    expect(notice.description.length).toBeLessThanOrEqual(CONTENT_NOTICE_TEXT_MAX)
    expect(notice.description).not.toMatch(/(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
    expect(notice.link ?? 'https://').toMatch(/^https?:\/\//i)
  }
  // More than the quota of all networks and what is left for further ones would be kept if the quotas allowed it: all were used up.
  expect(kept).toHaveLength(NOTICES_AN_HOUR + FIRST_NOTICES_AN_HOUR)
  expect([...refusals]).toEqual(expect.arrayContaining(['schema', 'bad-request']))
})

test.each([
  'https://social.example/@name',
  'https://a.example?to=b@c.example',
  'http://a.example#@',
  'https://a.example',
])('the link %s is accepted', (link) => {
  expect(parse(contentNoticeSchema, contentNotice({ link })).link).toBe(link)
})

const refused = { code: 'too-many-requests', details: { retryAfter: 3_600 } }

test('more new notices of a network than an hour allows are refused, and the next hour takes some again', async () => {
  const { clock, kept, send } = notices()
  for (let sent = 0; sent < NOTICES_OF_A_NETWORK; sent += 1) await send()
  await expect(send()).rejects.toMatchObject(refused)
  await send({}, '192.0.3.7')
  clock.at += HOUR_MS
  await send()
  expect(kept).toHaveLength(NOTICES_OF_A_NETWORK + 2)
})

test('wide networks that use up the hour leave room for the first notices of others', async () => {
  const { clock, kept, send } = notices()
  // 20 of each of 15 networks, each in a wide one of its own.
  for (let sent = 0; sent < NOTICES_AN_HOUR; sent += 1) await send({}, `10.${sent % 15}.0.1`)
  for (let network = 0; network < 15; network += 1)
    await expect(send({}, `10.${network}.1.1`)).rejects.toMatchObject(refused)
  for (let person = 0; person < FIRST_NOTICES_AN_HOUR; person += 1) await send({}, `11.${person}.0.1`)
  await expect(send({}, '11.0.0.1')).rejects.toMatchObject(refused)
  await expect(send({}, '12.0.0.1')).rejects.toMatchObject(refused)
  expect(kept).toHaveLength(NOTICES_AN_HOUR + FIRST_NOTICES_AN_HOUR)
  clock.at += HOUR_MS
  await send({}, '12.0.0.1')
})

test.each([
  ['a /40', (index: number) => `2001:db8:${(0x4000 + (index % 116)).toString(16)}::1`],
  ['a /32', (index: number) => `2a02:c7c:${(index % 5_000).toString(16)}::1`],
  ['a /16', (index: number) => `81.2.${index % 250}.1`],
])(
  '400 notices of the networks of %s fill their own quota and close the form for nobody else',
  async (_, addressOf) => {
    const { kept, send } = notices()
    for (let index = 0; index < 400; index += 1) await send({}, addressOf(index)).catch(() => undefined)
    expect(kept).toHaveLength(NOTICES_OF_A_WIDE_NETWORK + FIRST_NOTICES_OF_A_WIDE_NETWORK)
    for (let person = 0; person < NOTICES_AN_HOUR / 2; person += 1) await send({}, `100.${person}.0.1`)
  },
)

test('one network does not close the form for the other networks of its provider', async () => {
  const { send } = notices()
  for (let sent = 0; sent < 100; sent += 1) await send({}, `81.2.${sent % 4}.1`).catch(() => undefined)
  await expect(send({}, '81.2.0.9')).rejects.toMatchObject(refused)
  await send({}, '81.2.200.1')
})

/** Uses up what an hour takes without a proof, from 41 wide networks. */
async function flood({ send }: Pick<ReturnType<typeof notices>, 'send'>): Promise<void> {
  for (let sent = 0; sent < NOTICES_AN_HOUR; sent += 1) await send({}, `10.${sent % 15}.0.1`)
  for (let sent = 0; sent < FIRST_NOTICES_AN_HOUR; sent += 1) await send({}, `11.${sent % 40}.${sent % 3}.1`)
}

test('while a flood has used up the hour, a person gets through with a proof, and a proof counts once', async () => {
  const { kept, rules, send } = notices()
  await flood({ send })
  const person = '203.0.113.9'
  await expect(send({}, person)).rejects.toMatchObject(refused)
  const proof = await solved(await rules.challenge(person))
  await send({ proof }, person)
  expect(kept).toHaveLength(NOTICES_AN_HOUR + FIRST_NOTICES_AN_HOUR + 1)
  await expect(send({ proof }, '198.51.100.9')).rejects.toMatchObject(refused)
})

test('a proof that is late, changed or for an easier challenge opens nothing', async () => {
  const { clock, rules, send } = notices()
  await flood({ send })
  const proof = await solved(await rules.challenge('203.0.113.9'))
  const { challenge, solution } = proof
  const easier = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '00' } }
  const later = {
    ...challenge,
    parameters: { ...challenge.parameters, data: { endsAt: clock.at + HOUR_MS, level: 1 } },
  }
  const guessed = { ...solution, derivedKey: challenge.parameters.keyPrefix.padEnd(64, '0') }
  for (const forged of [await solved(easier), { challenge: later, solution }, { challenge, solution: guessed }])
    await expect(send({ proof: forged }, '203.0.113.9')).rejects.toMatchObject(refused)
  clock.at += 11 * 60_000
  await expect(send({ proof }, '203.0.113.9')).rejects.toMatchObject({ code: 'too-many-requests' })
})

test('the work grows with the proven notices of the hour, to sixteen times the first', async () => {
  const { rules, send } = notices()
  const first = await solved(await rules.challenge('203.0.113.9'))
  expect(first.solution.counter).toBeLessThanOrEqual(240)
  for (let sent = 0; sent < 400; sent += 1) await send({ proof: paid }, `12.${sent % 100}.${sent % 30}.1`)
  // It was collected before the flood.
  await flood({ send })
  await expect(send({ proof: first }, '203.0.113.9')).rejects.toMatchObject(refused)
  const last = await solved(await rules.challenge('203.0.113.9'))
  expect(last.solution.counter).toBeGreaterThanOrEqual(160 * LEVEL_MAX)
})

test('proven notices have limits too: of a network, of a wide one, and in all, and then there is no challenge', async () => {
  const { kept, rules, send } = notices()
  for (let sent = 0; sent < NOTICES_OF_A_NETWORK; sent += 1) await send({ proof: paid }, '81.2.0.1')
  await expect(send({ proof: paid }, '81.2.0.2')).rejects.toMatchObject(refused)
  expect(await rules.challenge('81.2.0.3')).toBeNull()
  for (let sent = kept.length; sent < PROVEN_NOTICES_OF_A_WIDE_NETWORK; sent += 1)
    await send({ proof: paid }, `81.2.${sent}.1`)
  await expect(send({ proof: paid }, '81.2.200.1')).rejects.toMatchObject(refused)
  expect(await rules.challenge('81.2.200.1')).toBeNull()
  for (let sent = kept.length; sent < PROVEN_NOTICES_AN_HOUR; sent += 1)
    await send({ proof: paid }, `12.${sent % 200}.${sent % 10}.1`)
  await expect(send({ proof: paid }, '203.0.113.9')).rejects.toMatchObject(refused)
  expect(await rules.challenge('198.51.100.1')).toBeNull()
})
