import { allLocales } from '@faker-js/faker'
import fc from 'fast-check'
import naughty from 'naughty-words'
import { expect, test } from 'vitest'
import { sized } from '../../../../scripts/test-limits.ts'
import { isInterestRefused, maySuggest, nicknameFault } from '../../../../server/words/rules/visible-words.ts'
import { interests, moreNames, nearMisses, nearMissInterests } from '../../../support/honest-words.ts'
import { seededRandom } from '../../../support/run-seed.ts'

/** Two names in one, by a fault of the data. */
const NO_NAME = 'MikešićMerda'
/** Drawn at random from the names of a locale; the long run checks all 59,000. */
const NAMES_DRAWN = sized(5, 100_000)
/** With a part that is a listed word of four letters or more, such as "Dickens": one in 800 has one, and a rule that is too strict refuses these first. */
const LISTED = new RegExp(naughty.en.filter((word) => /^[a-z]{4,}$/.test(word)).join('|'), 'i')

const random = seededRandom()

function namesOf({ person }: (typeof allLocales)[keyof typeof allLocales]): string[] {
  const lists = [person?.first_name, person?.last_name].flatMap((kind) => [kind?.generic, kind?.female, kind?.male])
  const names = new Set(lists.flatMap((list) => list ?? []))
  names.delete(NO_NAME)
  return [...names]
}

function hasListed(name: string): boolean {
  return LISTED.test(name.normalize('NFD').replace(/\p{M}/gu, ''))
}

function drawn(names: readonly string[]): readonly string[] {
  if (names.length <= NAMES_DRAWN) return names
  const any = Array.from({ length: NAMES_DRAWN }, () => names[Math.floor(random() * names.length)] ?? '')
  return [...names.filter(hasListed), ...any]
}

const names = [
  ...Object.entries(allLocales).map(([locale, data]) => [locale, drawn(namesOf(data))] as const),
  ...Object.entries(moreNames).map(([language, text]) => [language, text.split(' ')] as const),
].filter(([, list]) => list.length > 0)

test('the names of more than fifty languages are nicknames', () => {
  const languages = new Set(names.map(([locale]) => locale.split('_')[0]))
  expect(languages.size).toBeGreaterThan(50)
  const refused = names.flatMap(([locale, list]) =>
    list.map((name) => [locale, name, nicknameFault(name, [])] as const),
  )
  expect(refused.filter(([, , fault]) => fault !== null)).toEqual([])
})

test('every text has an answer, whatever its characters', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ unit: 'grapheme', maxLength: 30 }))
  fc.assert(
    fc.property(texts, (text) => {
      expect([null, 'reserved', 'contact', 'insult']).toContain(nicknameFault(text, []))
      expect([true, false]).toContain(maySuggest(text, []))
    }),
    { numRuns: sized(200, 20_000) },
  )
})

test('interests of more than fifty languages are accepted and suggested', () => {
  expect(Object.keys(interests).length).toBeGreaterThan(50)
  const words = Object.values(interests).flatMap((text) => text.split(','))
  expect(words.filter((word) => isInterestRefused(word, []) || !maySuggest(word, []))).toEqual([])
})

/** Names of countries in each language, as a browser has them: everyday words of every kind of spelling. */
const countries = ['AR', 'EE', 'FI', 'GN', 'IN', 'JP', 'LV', 'NE', 'PS', 'SE', 'TN', 'TR', 'VN']

test.each(Object.keys(interests))('countries as %s names them may be suggested', (language) => {
  const regions = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  const words = countries.flatMap((code) => regions.of(code) ?? [])
  expect(words.filter((word) => !maySuggest(word.toLowerCase(), []))).toEqual([])
})

test.each(nearMisses)('%s is a nickname', (nickName) => {
  expect(nicknameFault(nickName, [])).toBeNull()
})

test.each(nearMissInterests)('%s is an interest, and may be suggested', (interest) => {
  expect([isInterestRefused(interest, []), maySuggest(interest, [])]).toEqual([false, true])
})
