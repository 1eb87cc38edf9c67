import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acceptedLanguages, languages, offeredLanguages, PSEUDO_LANGUAGE, pickLanguage } from '#protocol/languages.ts'

const tag = fc.constantFrom('en', 'en-GB', 'es', 'es-419', 'ES-mx', 'de', 'fr-CA', '*', 'en-XB', '')
const anything = fc.oneof(fc.string(), fc.constant(undefined), fc.constant(null), fc.integer())

test('for any preferences the page has one language', () => {
  fc.assert(
    fc.property(anything, anything, fc.array(fc.oneof(tag, fc.string())), (parameter, cookie, accepted) => {
      expect(languages).toContain(pickLanguage({ parameter, cookie, accepted }))
    }),
  )
})

test('the pseudo-language is chosen by its cookie alone', () => {
  expect(pickLanguage({ parameter: null, cookie: PSEUDO_LANGUAGE, accepted: ['es'] })).toBe(PSEUDO_LANGUAGE)
  fc.assert(
    fc.property(fc.array(tag), (accepted) => {
      const picked = pickLanguage({ parameter: PSEUDO_LANGUAGE, cookie: undefined, accepted })
      expect(Object.keys(offeredLanguages)).toContain(picked)
    }),
  )
})

test('every offered language is known, and chosen for a browser that prefers it', () => {
  for (const language of Object.keys(offeredLanguages)) {
    expect(languages).toContain(language)
    expect(pickLanguage({ parameter: null, cookie: null, accepted: ['tlh', `${language}-ZZ`] })).toBe(language)
  }
})

test('the URL comes before the stored choice, and that before the browser’s preference', () => {
  fc.assert(
    fc.property(fc.constantFrom('en', 'es'), anything, fc.array(tag), (asked, other, accepted) => {
      expect(pickLanguage({ parameter: asked, cookie: other, accepted })).toBe(asked)
      expect(pickLanguage({ parameter: 'tlh', cookie: asked, accepted })).toBe(asked)
    }),
  )
})

test('a header is read in the order of its qualities, in any spelling', () => {
  expect(acceptedLanguages('en;q=0.5, es-MX , fr;q=0, de; q=0.7')).toEqual(['es-MX', 'de', 'en'])
  fc.assert(fc.property(fc.string(), (header) => acceptedLanguages(header).every((each) => each !== '')))
})
