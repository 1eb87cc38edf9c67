import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { hubMethods } from '#protocol/hub.ts'
import { tryParse } from '#protocol/parse.ts'
import { REPORT_NOTE_MAX, reportDetailsSchema, reportReasons } from '#protocol/reports.ts'
import { sized } from '../../../../scripts/test-limits.ts'

const schema = hubMethods.HandleReportedUser.arguments
const known = ['own', 'peer', 'ReportOnly', 'a-match'] as const

/** Returns the issue of a report with these details, null if the hub accepts it. */
function issueOf(details: unknown): string | null {
  const parsed = tryParse(schema, [...known, details])
  return parsed.success ? null : parsed.issues[0].message
}

const curtain = { model: 'nsfwjs mobilenet_v2 (4.2.1)', flagged: 3, looks: 40 }

test.each(reportReasons)('the reason %s is accepted, alone and with everything else', (reason) => {
  expect(issueOf({ reason })).toBeNull()
  expect(issueOf({ reason, note: 'A line', curtain })).toBeNull()
})

test('a report without details is accepted, as older clients send it', () => {
  for (const args of [known.slice(0, 3), known, [...known, null], [...known.slice(0, 3), null, null]])
    expect(tryParse(schema, args).success).toBe(true)
})

test('a server that does not know the details ignores them', () => {
  const [own, peer, type, match] = schema.items
  const older = v.tuple([own, peer, type, match])
  expect(v.parse(older, [...known, { reason: 'spam' }])).toEqual(known)
})

const tooLong = 'x'.repeat(REPORT_NOTE_MAX + 1)

test.each<[unknown, string]>([
  ['nudity', 'details: '],
  [[], 'reason: '],
  [7, 'details: '],
  [{}, 'reason: it is missing'],
  [{ reason: 'boring' }, 'reason: it is one of nudity, harassment'],
  [{ reason: ['nudity'] }, 'reason: it is one of'],
  [{ reason: 'other', note: 7 }, 'note: it is text'],
  [{ reason: 'other', note: null }, 'note: it is text'],
  [{ reason: 'other', note: tooLong }, 'note: it has at most 200 characters'],
  [{ reason: 'nudity', curtain: 'explicit' }, 'curtain: it is an object'],
  [{ reason: 'nudity', curtain: { ...curtain, model: 7 } }, 'curtain.model: it is text'],
  [{ reason: 'nudity', curtain: { ...curtain, model: tooLong } }, 'curtain.model: it has at most 64 characters'],
  [{ reason: 'nudity', curtain: { ...curtain, looks: '40' } }, 'curtain.looks: it is a whole number'],
  [{ reason: 'nudity', curtain: { ...curtain, looks: 1e9 } }, 'curtain.looks: it is a whole number'],
  [{ reason: 'nudity', curtain: { ...curtain, flagged: -1 } }, 'curtain.flagged: it is a whole number'],
  [{ reason: 'nudity', curtain: { ...curtain, flagged: 0.5 } }, 'curtain.flagged: it is a whole number'],
  [{ reason: 'nudity', curtain: { ...curtain, flagged: 41 } }, 'curtain.flagged: it is at most curtain.looks'],
])('%j is refused with a message that names the field', (details, message) => {
  expect(issueOf(details)).toContain(message)
})

const SECRET = 'words of the reporter'
const anything = fc.oneof(fc.anything(), fc.string({ maxLength: 400, unit: 'binary' }), fc.constant(SECRET.repeat(20)))
/** What a note must not keep: control characters, line ends, marks of direction and halves of surrogate pairs. */
const unwanted = [...'\0\n\u007f\u0085\u2028\u2029\u061c\u200e\u200f\u202a\u202e\u2066\u2069', '\ud800', '\udfff']
const line = fc.string({ maxLength: 20, unit: fc.oneof(fc.constantFrom(...unwanted), fc.constantFrom('a', ' ', '😀')) })
const few = fc.integer({ min: -1, max: 4 })
const forged = fc.oneof(
  anything,
  fc.record(
    {
      reason: fc.oneof(fc.constantFrom(...reportReasons), anything),
      note: fc.oneof(line, anything),
      curtain: fc.oneof(
        anything,
        fc.record({
          model: fc.oneof(line, anything),
          flagged: fc.oneof(few, fc.integer(), fc.double(), anything),
          looks: fc.oneof(few, fc.integer(), fc.double(), anything),
        }),
      ),
      picture: anything,
    },
    { requiredKeys: [] },
  ),
)

const FORGED = sized(2_000, 20_000)

test(`of ${FORGED} forged reports each is harmless, or refused by a message that names the field and quotes nothing`, () => {
  const seen = { accepted: 0, refused: 0 }
  fc.assert(
    fc.property(forged, (details) => {
      const parsed = tryParse(v.nullish(reportDetailsSchema), details)
      if (!parsed.success) {
        seen.refused += 1
        expect(parsed.issues[0].message).toMatch(/^(?:details|reason|note|curtain(?:\.(?:model|flagged|looks))?): /)
        expect(parsed.issues[0].message).not.toContain(SECRET)
        return
      }
      seen.accepted += 1
      if (!parsed.output) return
      const { reason, note = '', curtain: saw, ...rest } = parsed.output
      expect(rest).toEqual({})
      expect(reportReasons).toContain(reason)
      expect(note.length).toBeLessThanOrEqual(REPORT_NOTE_MAX)
      // Neither NUL nor half a surrogate pair, which PostgreSQL does not store, and no line end or mark of direction.
      for (const text of [note, saw?.model ?? ''])
        expect(text).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
      if (saw) expect(saw.flagged).toBeLessThanOrEqual(saw.looks)
    }),
    { numRuns: FORGED },
  )
  expect(seen.accepted).toBeGreaterThan(FORGED / 100)
  expect(seen.refused).toBeGreaterThan(FORGED / 10)
})

test('a note becomes one line without control characters', () => {
  const parsed = v.parse(reportDetailsSchema, { reason: 'other', note: ' a\u0000b\nc\u202ed\ud800 \u{1f600} ' })
  expect(parsed.note).toBe('a b c d  \u{1f600}')
})
