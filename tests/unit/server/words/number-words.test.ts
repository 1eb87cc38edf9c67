import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { numberWords } from '../../../../server/words/rules/number-words.ts'

const NUMBERS = [...Array(21).keys(), 30, 40, 50, 60, 70, 80, 90]
/** Chinese, Japanese and Korean numbers follow each other without spaces, so that their signs are enough. */
const SIGNS = new Set(['ja', 'ko', 'zh'])

const folder = dirname(fileURLToPath(import.meta.resolve('n2words/en-US')))
const tags = readdirSync(folder).flatMap((file) => /^([a-z]{2,3}(?:-\w+)*)\.js$/.exec(file)?.[1] ?? [])

function languageOf(tag: string): string {
  const [language = ''] = tag.split('-')
  return tag.includes('Latn') ? `${language}-Latn` : language
}

test('the table has the numbers of every language of n2words that are one word', async () => {
  const words: Record<string, string[]> = {}
  for (const tag of tags) {
    const language = languageOf(tag)
    const { toCardinal } = await import(`${folder}/${tag}.js`)
    const spelt = NUMBERS.map((number) => String(toCardinal(number)).normalize('NFKC').toLowerCase())
    words[language] = [...(words[language] ?? []), ...spelt.filter((word) => /^[\p{L}\p{M}]+$/u.test(word))].filter(
      (word) => !SIGNS.has(language) || [...word].length === 1,
    )
  }
  const distinct = Object.entries(words).map(([language, all]) => [language, [...new Set(all)].join(' ')])
  expect(numberWords).toEqual(Object.fromEntries(distinct))
})
