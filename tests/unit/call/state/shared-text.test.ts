import { expect, test } from 'vitest'
import type { Language } from '#protocol/languages.ts'
import { sharedText } from '../../../../src/call/screens/shared-text.ts'
import { loadTexts } from '../../../../src/platform/texts/catalogue.ts'
import { createTextStore } from '../../../../src/platform/texts/texts.ts'

async function textIn(language: Language, languages: string[], interests: string[]): Promise<string> {
  const texts = createTextStore({ language, load: loadTexts, remember: () => {}, log: { error: () => {} } })
  await texts.need('shared')
  return sharedText(texts.t, language, { languages, interests })
}

test.for([
  [['es'], ['chess'], 'You both speak Spanish and like chess.'],
  [['es'], [], 'You both speak Spanish.'],
  [[], ['chess', 'music'], 'You both like chess and music.'],
  [['es', 'en', 'ca'], ['chess', 'music'], 'You both speak Spanish, English, and Catalan and like chess and music.'],
  [[], [], ''],
  [['qaa'], ['chess'], 'You both like chess.'],
] as [string[], string[], string][])('%j and %j: %s', async ([languages, interests, text]) => {
  expect(await textIn('en', languages, interests)).toBe(text)
})

test('in Spanish, with the words for "and" that its grammar wants', async () => {
  expect(await textIn('es', ['es', 'en'], ['ajedrez'])).toBe(
    'Los dos habláis español e inglés y compartís el gusto por ajedrez.',
  )
})

test('an interest is text, whatever it contains', async () => {
  expect(await textIn('en', [], ['<b>{languages}</b>'])).toBe('You both like <b>{languages}</b>.')
})
