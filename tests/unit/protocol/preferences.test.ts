import fc from 'fast-check'
import { expect, test } from 'vitest'
import { INTEREST_MAX, NICKNAME_PATTERN } from '#protocol/constants.ts'
import { hubEvents } from '#protocol/hub.ts'
import { parse, tryParse } from '#protocol/parse.ts'
import { normaliseInterest, preferencesSchema } from '#protocol/preferences.ts'
import { spokenLanguages } from '#protocol/spoken-languages.ts'

const read = (languages: unknown, interests: unknown) => {
  const { success, output, issues } = tryParse(preferencesSchema, { languages, interests })
  return success ? output : issues.map(({ path }) => path?.map(({ key }) => key).join('.'))
}
const interests = (...list: unknown[]) => read([], list)

test('interests are kept in one form, in every script', () => {
  expect(interests('  Jazz\u00a0 Piano ', 'ＣＨＥＳＳ', 'Cafe\u0301', 'ΟΔΟΣ', '料理')).toEqual({
    languages: [],
    interests: ['jazz piano', 'chess', 'café', 'οδος', '料理'],
  })
  expect(interests('Straße', 'हिन्दी', 'I')).toEqual({ languages: [], interests: ['straße', 'हिन्दी', 'i'] })
})

test.each([
  ['ΛΌΓΟΣ', 'λόγος'],
  ['ΦΙΛΟΣ ΛΟΓΟΣ', 'φιλος λογος'],
  // The lunate sigma, capital and small, becomes a common one in NFKC.
  ['ϹΟΦΙΑ', 'σοφια'],
  ['ϲοφια', 'σοφια'],
  // NFKC writes the sign as letters, so that the sigma is not the last one.
  ['aΣ㎏', 'aσkg'],
  ['aς㎏', 'aσkg'],
])('the sigma of %s does not depend on how it was typed', (typed, kept) => {
  expect(interests(typed)).toEqual({ languages: [], interests: [kept] })
})

test.each([
  ['K-Pop', 'k-pop'],
  ['Formula 1', 'formula 1'],
  ['sci\u2013fi', 'sci-fi'],
  ['8\u2011bit', '8-bit'],
  ['90’s music', "90's music"],
  ['Rock ‘n’ Roll', "rock 'n' roll"],
  ["girls' football", "girls' football"],
  ['d’Artagnan', "d'artagnan"],
  ['комп’ютер', "комп'ютер"],
  ['فورمولا ١', 'فورمولا ١'],
  ['１００ m', '100 m'],
])('%s is kept as %s', (typed, kept) => {
  expect(interests(typed)).toEqual({ languages: [], interests: [kept] })
})

test.each([
  ['a link', 'https://x.example'],
  ['a bare domain', 'x.example'],
  ['markup', '<b>chess</b>'],
  ['a control', 'chess\u0000'],
  ['a line break', 'chess\nclub'],
  ['a direction mark', 'chess\u202e'],
  ['four digits', 'call 0171'],
  ['four digits with letters between them', 'a1b2c3d4'],
  ['four digits of several scripts', '1٢३４'],
  ['an address', 'me@example'],
  ['a hyphen at the end', 'pop-'],
  ['an apostrophe at the beginning', "'pop"],
  ['two hyphens', 'k--pop'],
  ['a hyphen between spaces', 'k - pop'],
  ['a hyphen and an apostrophe', "k-'pop"],
  ['two apostrophes', "k''pop"],
  ['nothing', '  '],
  ['31 letters', 'a'.repeat(31)],
  ['10,000 characters', 'a'.repeat(10_000)],
  ['a ligature that becomes 36 letters', '\ufdfa'.repeat(2)],
  ['no text', 7],
])('an interest of %s is refused with the name of the field', (_, interest) => {
  expect(interests('chess', interest)).toEqual(['interests'])
})

test('at most five of each, none twice', () => {
  expect(interests('a', 'b', 'c', 'd', 'e', 'f')).toEqual(['interests'])
  expect(interests('Chess', 'ｃｈｅｓｓ ')).toEqual(['interests'])
  expect(read(['en', 'es', 'de', 'fr', 'it', 'pt'], [])).toEqual(['languages'])
  expect(read(['en', 'en'], [])).toEqual(['languages'])
  for (const code of ['xx', 'EN', 'en-US', '', '__proto__', 5]) expect(read([code], [])).toEqual(['languages'])
  expect(read('en', [])).toEqual(['languages'])
  expect(read(['fil', 'en', 'yue'], [])).toEqual({ languages: ['fil', 'en', 'yue'], interests: [] })
})

test('the table has sorted, distinct codes which a browser can name', () => {
  expect([...new Set(spokenLanguages)].toSorted()).toEqual(spokenLanguages)
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  expect(spokenLanguages.filter((code) => !/^[a-z]{2,3}$/.test(code) || !names.of(code))).toEqual([])
})

test('events of an older server, without what both share and without the second number, are read', () => {
  const shared = { languages: ['es'], interests: ['chess'] }
  const matched = ['Caller', 'm', 'c']
  const given = (values: readonly unknown[]) => values.filter((value) => value !== undefined)
  for (const sent of [matched, [...matched, shared]]) expect(given(parse(hubEvents.OnUserMatched, sent))).toEqual(sent)
  for (const sent of [[7], [7, 2]]) expect(given(parse(hubEvents.OnQueueSize, sent))).toEqual(sent)
})

/** Characters that an interest is made of, and some that normalising makes one of them. */
const oftenUsed = fc.string({ unit: fc.constantFrom(..."aÉßσΣ料न١1８ -\u2011\u2013'’ʼ.@+") })
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), oftenUsed)

test('a second pass of normalising changes nothing, and case does not matter', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = normaliseInterest(text)
      expect(normaliseInterest(once)).toBe(once)
      expect(normaliseInterest(text.toLowerCase())).toBe(once)
    }),
  )
})

test('what is accepted is short, words with single signs between them, and accepted again as it is', () => {
  const letters = fc.stringMatching(/^[\p{L}\p{M} ]{1,40}$/u)
  fc.assert(
    fc.property(fc.oneof(letters, anyText), (text) => {
      const kept = interests(text)
      if (Array.isArray(kept)) return
      const [interest = ''] = kept.interests
      expect(interest.length).toBeLessThanOrEqual(INTEREST_MAX)
      expect(interest.split(/' | '| |[-']/).every((word) => /^[\p{L}\p{M}\p{Nd}]+$/u.test(word))).toBe(true)
      expect(interest.match(/\p{Nd}/gu) ?? []).toHaveProperty(
        'length',
        expect.toSatisfy((count) => count <= 3),
      )
      expect(interests(interest)).toEqual(kept)
    }),
  )
})

test('an interest of an older server, letters and single spaces, is kept as it was', () => {
  const words = fc.array(fc.stringMatching(/^[\p{L}\p{M}ʼ]{1,9}$/u), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(words, (parts) => {
      const old = normaliseInterest(parts.join(' '))
      fc.pre(old.length <= INTEREST_MAX && NICKNAME_PATTERN.test(old))
      expect(interests(old)).toEqual({ languages: [], interests: [old] })
    }),
  )
})
