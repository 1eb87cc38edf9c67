import { expect, test } from 'vitest'
import { spokenLanguageOf, spokenLanguages, spokenLanguagesIn } from '#protocol/spoken-languages.ts'

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

test('of a browser there are the first known languages, each once and without its region', () => {
  const of = (...tags: string[]) => spokenLanguagesIn(tags)
  expect(of('es-MX', 'es', 'EN-us', 'xx', 'ca')).toEqual(['es', 'en', 'ca'])
  expect(of()).toEqual([])
  // Chrome in Norwegian, and Safari.
  expect(of('nb-NO', 'nb', 'no', 'nn', 'en-US', 'en')).toEqual(['no', 'en'])
  expect(of('nb-NO')).toEqual(['no'])
  expect(of('de', 'fr', 'it', 'pt', 'ja', 'ko')).toEqual(['de', 'fr', 'it', 'pt', 'ja'])
})
