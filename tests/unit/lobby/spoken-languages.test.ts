import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spokenLanguages } from '#protocol/spoken-languages.ts'
import { findLanguages, languageOptions, namedLanguages } from '../../../src/lobby/rules/preferences.ts'

const english = languageOptions(spokenLanguages, 'en')
const codesFor = (typed: string) => findLanguages(english, typed).map(({ code }) => code)

test('a language has its name in its own script and in the language of the page', () => {
  const option = (locale: string, code: string) => languageOptions([code], locale)[0]
  expect(option('en', 'es')).toEqual({ code: 'es', own: 'Español', name: 'Spanish' })
  expect(option('es', 'ja')).toEqual({ code: 'ja', own: '日本語', name: 'Japonés' })
  expect(option('en', 'el')).toEqual({ code: 'el', own: 'Ελληνικά', name: 'Greek' })
})

test('a language that the browser has no data of has its name in the language of the page alone', () => {
  const [option] = languageOptions(['aa'], 'en')
  expect(option).toEqual({ code: 'aa', own: undefined, name: 'Afar' })
})

test('a language without any name is not offered, and has its code where it was chosen', () => {
  expect(namedLanguages(['qaa', 'es'], 'en')).toEqual(['es'])
  expect(languageOptions(['qaa'], 'en')[0]?.name).toBe('Qaa')
})

test('the options are sorted by the language of the page', () => {
  expect(languageOptions(['es', 'de', 'sv'], 'en').map(({ code }) => code)).toEqual(['de', 'es', 'sv'])
  expect(languageOptions(['es', 'de', 'sv'], 'es').map(({ code }) => code)).toEqual(['de', 'es', 'sv'])
  expect(languageOptions(['sv', 'zh', 'de'], 'es').map(({ code }) => code)).toEqual(['de', 'zh', 'sv'])
})

test.for([
  ['espanol', 'es'],
  ['SPAN', 'es'],
  ['  deut', 'de'],
  ['Ελλην', 'el'],
  ['日', 'ja'],
  ['русс', 'ru'],
] as const)('%s finds %s first', ([typed, code]) => {
  expect(codesFor(typed)[0]).toBe(code)
})

test('nothing typed finds all, and words of no language find none', () => {
  expect(codesFor(' ')).toHaveLength(spokenLanguages.length)
  expect(codesFor('<b>')).toEqual([])
})

test('whatever is typed, the found languages are options, each once', () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const codes = codesFor(typed)
      expect(new Set(codes).size).toBe(codes.length)
      expect(spokenLanguages).toEqual(expect.arrayContaining(codes))
    }),
  )
})
