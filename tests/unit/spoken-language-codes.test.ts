import { expect, test } from 'vitest'
import { spokenLanguageOf, spokenLanguages } from '#protocol/spoken-languages.ts'

test.each(['en', 'es'])('no two languages have one name in the texts of %s', (locale) => {
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  expect(new Set(spokenLanguages.map((code) => names.of(code))).size).toBe(spokenLanguages.length)
})

test('every code is the one that browsers use for its language', () => {
  expect(spokenLanguages.map((code) => Intl.getCanonicalLocales(code)[0])).toEqual(spokenLanguages)
})

test('a tag of a browser gives the code of its spoken language', () => {
  const tags = [
    'en',
    'en-US',
    'ES-419',
    'nb-NO',
    'nn',
    'no',
    'tl-PH',
    'fil',
    'iw',
    'zh-Hant-HK',
    'tlh',
    'xx',
    '',
    '__proto__',
  ]
  const codes = ['en', 'en', 'es', 'no', 'no', 'no', 'fil', 'fil', 'he', 'zh', null, null, null, null]
  expect(tags.map(spokenLanguageOf)).toEqual(codes)
})
