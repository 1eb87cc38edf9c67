import { cuss as english } from 'cuss'
import { cuss as spanish } from 'cuss/es'
import { cuss as french } from 'cuss/fr'
import { cuss as italian } from 'cuss/it'
import { cuss as portuguese } from 'cuss/pt'
import naughty from 'naughty-words'
import { type Folded, type FoldedWord, looksLike, looksPartly } from './folded.ts'
import { honestPhrases, honestWords } from './honest-words.ts'

/**
 * Insults and words of sex, from two maintained lists: naughty-words ("List of Dirty, Naughty, Obscene, and Otherwise
 * Bad Words", CC BY 4.0) and cuss (MIT), which rates how surely a word is an insult. Whole words are compared, so that
 * "Scunthorpe" is no insult.
 */

const SURE = 2

/** The languages whose whole list counts. Chinese and Japanese have rules of their own; Esperanto, Klingon and Kabyle have few users. */
const { ar, cs, da, de, fa, fi, fil, hi, hu, ko, no, pl, ru, sv, th, tr } = naughty
const wholeLists = [ar, cs, da, de, fa, fi, fil, hi, hu, ko, no, pl, ru, sv, th, tr]
/** Slurs that only one of the lists has, or rates as sure. */
const slursOfOneList =
  'chink chinks gook gooks wop wops spick spicks golliwog kaffir kyke dyke faggots fag fags tard shemale kikes'.split(
    ' ',
  )

const normal = (word: string) => word.normalize('NFKC').toLowerCase()
const isHonest = (word: string) => honestWords.has(word)
const wordsOf = (words: readonly string[]) => words.map(normal).filter((word) => !isHonest(word))

/** Returns the words that both lists name, the second with a rating of at least `least`. */
function bothName(words: readonly string[], rated: Record<string, number>, least: number): string[] {
  const ratings = new Map(Object.entries(rated).map(([word, rating]) => [normal(word), rating]))
  return wordsOf(words).filter((word) => (ratings.get(word) ?? -1) >= least)
}

/** English words that are compared by their looks. */
const clearEnglish = [...bothName(naughty.en, english, SURE), ...slursOfOneList].filter((word) => !word.includes(' '))
/** Words that are long enough to be found inside longer ones: no honest word but "snigger" contains them. */
const insideWords = clearEnglish.filter((word) => word === 'fuck' || (word.length >= 6 && word !== 'darkie'))
const HONEST_AROUND = 'snigger'
/** Shorter Chinese entries are parts of everyday words, unless they have a character of `COARSE`. */
const CHINESE_MIN = 3
const COARSE = /[逼屄肏屌婊操]/u
const chinese = wordsOf(naughty.zh).filter(
  (word) => /^\p{Script=Han}{2,}$/u.test(word) && ([...word].length >= CHINESE_MIN || COARSE.test(word)),
)

const insults: ReadonlySet<string> = new Set([
  ...wholeLists.flatMap(wordsOf),
  ...bothName(naughty.es, spanish, 1),
  ...bothName(naughty.fr, french, 1),
  ...bothName(naughty.it, italian, 1),
  ...bothName(naughty.pt, portuguese, 1),
  ...chinese,
])
const explicit: ReadonlySet<string> = new Set(wordsOf([...naughty.en, ...naughty.es, ...naughty.ja, ...naughty.zh]))

/**
 * Letters of scripts other than Latin. A word of Latin letters with marks is not compared by its looks: "Paška" is a
 * name, "paska" Finnish for dirt.
 */
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{M}]/u

function isListed({ text, latin, looksLatin }: FoldedWord, list: ReadonlySet<string>): boolean {
  return list.has(text) || (looksLatin && OTHER_SCRIPT.test(text) && !isHonest(text) && list.has(latin))
}

const ENTRY_WORDS_MAX = 4

/** True if a word, or several successive words, are an entry of the list. */
function namesEntry({ words }: Folded, list: ReadonlySet<string>): boolean {
  return words.some((word, at) => {
    if (isListed(word, list)) return true
    const following = words.slice(at, at + ENTRY_WORDS_MAX).map(({ text }) => text)
    return following.some((_, last) => last > 0 && list.has(following.slice(0, last + 1).join(' ')))
  })
}

function isClear(word: FoldedWord): boolean {
  return !isHonest(word.text) && clearEnglish.some((one) => looksLike(word, one) || looksLike(word, `${one}s`))
}

function isClearInsult(word: FoldedWord): boolean {
  if (isClear(word)) return true
  if (isHonest(word.text)) return false
  return !word.text.includes(HONEST_AROUND) && insideWords.some((one) => looksPartly(word, one))
}

export function hasInsult(folded: Folded): boolean {
  const { words, joined } = folded
  if (honestPhrases.has(joined.text)) return false
  if (namesEntry(folded, insults) || insults.has(joined.text) || words.some(isClearInsult)) return true
  return chinese.some((phrase) => joined.text.includes(phrase)) || isClear(joined)
}

/** True of a text with a word of sex. A person may have such an interest, but it is not suggested to others. */
export function isExplicit(folded: Folded): boolean {
  return !honestPhrases.has(folded.joined.text) && namesEntry(folded, explicit)
}
