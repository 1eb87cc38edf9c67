import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CONTENT_NOTICE_LINK_MAX,
  CONTENT_NOTICE_TEXT_MAX,
  contentNoticeSchema,
  referenceSchema,
  shownReference,
} from '#protocol/content-notices.ts'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { parse, tryParse } from '#protocol/parse.ts'
import { sized } from '../../../scripts/test-limits.ts'
import {
  createNotices,
  FIRST_NOTICES_AN_HOUR,
  NOTICES_AN_HOUR,
  NOTICES_OF_A_NETWORK,
} from '../../../server/notices/rules/notices.ts'
import type { NewNotice, StoredNotice } from '../../../server/notices/rules/ports.ts'
import { LocalCounts } from '../../../server/platform/rules/counts.ts'
import { runSeed } from '../../support/run-seed.ts'
import { contentNotice } from '../../support/stores/content-notice.ts'

/** The rules over records in memory, with a clock that the test sets. */
function notices() {
  const clock = { at: Date.parse('2026-03-01T12:00:00Z') }
  const kept: (NewNotice & StoredNotice)[] = []
  const audit: string[] = []
  let ids = 0
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
    counts: new LocalCounts(() => clock.at),
    clock: { now: () => clock.at },
    newId() {
      ids += 1
      return `id-${ids}`
    },
    randomHex: () => createHash('sha256').update(String(ids)).digest('hex'),
  })
  const send = (change: Parameters<typeof contentNotice>[0] = {}, network = 'network') =>
    rules.send(parse(contentNoticeSchema, contentNotice(change)), 'en', network)
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
  ['email', { email: 'zoe@example.org\r\nBcc: all@example.org' }, /e-mail address is needed/],
  ['time', { time: '24:00' }, /HH:mm/],
  ['day', { day: '2026-02-30' }, /does not exist/],
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
  fc.record({ form: fc.constant({}), key: fc.integer({ min: 0, max: 50 }) }),
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

const FORMS = sized(5_000, 20_000)

test(`${FORMS} forms of any kind, TEST_SEED ${runSeed}: each is refused by a rule or kept once, and never more than an hour allows`, async () => {
  const { clock, kept, rules } = notices()
  const start = clock.at
  const refusals = new Set<string>()
  const forms = fc.sample(anyForm, { numRuns: FORMS, seed: runSeed })
  for (const { form, key } of forms) {
    clock.at += 1_000
    const parsed = tryParse(contentNoticeSchema, { ...contentNotice(), ...form, key: `key-of-the-form-${key}-00000` })
    if (!parsed.success) {
      refusals.add('schema')
      continue
    }
    await rules
      .send(parsed.output, 'en', `network ${key % 40}`)
      .catch(({ code }: { code: string }) => refusals.add(code))
  }
  expect(new Set(kept.map(({ requestKey }) => requestKey)).size).toBe(kept.length)
  expect(new Set(kept.map(({ reference }) => reference)).size).toBe(kept.length)
  for (const notice of kept) {
    expect(notice.description.length).toBeLessThanOrEqual(CONTENT_NOTICE_TEXT_MAX)
    expect(notice.description).not.toMatch(/(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
    expect(notice.link ?? 'https://').toMatch(/^https?:\/\//i)
    const sameHour = kept.filter(
      ({ at }) => Math.floor((at - start) / HOUR_MS) === Math.floor((notice.at - start) / HOUR_MS),
    )
    expect(sameHour.length).toBeLessThanOrEqual(2 * NOTICES_AN_HOUR)
  }
  expect([...refusals]).toEqual(expect.arrayContaining(['schema', 'bad-request']))
})

const refused = { code: 'too-many-requests', details: { retryAfter: 3_600 } }

test('more new notices of a network than an hour allows are refused, and the next hour takes some again', async () => {
  const { clock, kept, send } = notices()
  for (let sent = 0; sent < NOTICES_OF_A_NETWORK; sent += 1) await send()
  await expect(send()).rejects.toMatchObject(refused)
  await send({}, 'another')
  clock.at += HOUR_MS
  await send()
  expect(kept).toHaveLength(NOTICES_OF_A_NETWORK + 2)
})

test('networks that use up the hour leave room for the first notices of others', async () => {
  const { clock, kept, send } = notices()
  for (let sent = 0; sent < NOTICES_AN_HOUR; sent += 1) await send({}, `flood ${sent % 20}`)
  for (let network = 0; network < 20; network += 1)
    await expect(send({}, `flood ${network}`)).rejects.toMatchObject(refused)
  for (let person = 0; person < FIRST_NOTICES_AN_HOUR; person += 1) await send({}, `person ${person}`)
  await expect(send({}, 'person 0')).rejects.toMatchObject(refused)
  await expect(send({}, 'one more person')).rejects.toMatchObject(refused)
  expect(kept).toHaveLength(NOTICES_AN_HOUR + FIRST_NOTICES_AN_HOUR)
  clock.at += HOUR_MS
  await send({}, 'one more person')
})
