import anyAscii from 'any-ascii'
import unhomoglyph from 'unhomoglyph'

export type FoldedWord = {
  /** As it was typed, NFKC in lower case. */
  text: string
  /**
   * How the word looks, in small Latin letters: each letter becomes the one with which Unicode says it is confused,
   * else its transliteration.
   */
  latin: string
  /** True if a letter is of a script in which Latin letters can be imitated. `latin` is compared only then. */
  looksLatin: boolean
}
export type Folded = { words: readonly FoldedWord[]; joined: FoldedWord }

/** A capital after a small letter begins a word, as in "WaggleSupport". */
const BETWEEN_WORDS = /[\s'’-]+|(?<=\p{Ll})(?=\p{Lu})/u
/** Scripts with letters that look like Latin ones. NFKC has already replaced stylised Latin letters by plain ones. */
const IMITATES_LATIN =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Canadian_Aboriginal}]/u
const SINGLE_LETTER = /^\p{L}\p{M}*$/u

/** Reads letters with spaces between them as one word. */
function joinLetters(words: readonly string[]): string[] {
  const joined: string[] = []
  let isOpen = false
  for (const word of words) {
    const isLetter = SINGLE_LETTER.test(word)
    if (isLetter && isOpen) joined.push((joined.pop() ?? '') + word)
    else joined.push(word)
    isOpen = isLetter
  }
  return joined
}

const withoutMarks = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')

function looksOf(letter: string): string {
  if (/^[ -~]$/.test(letter)) return letter
  const looks = withoutMarks(unhomoglyph(letter))
  return /^[a-z]+$/i.test(looks) ? looks : anyAscii(letter)
}

function foldWord(word: string): FoldedWord {
  const normal = word.normalize('NFKC')
  // Before the change to lower case, since a capital and its small letter can look like different Latin letters.
  const latin = [...normal].map(looksOf).join('').toLowerCase()
  const text = normal.toLowerCase()
  return { text, latin, looksLatin: IMITATES_LATIN.test(text) }
}

/** Folds a nickname or an interest: letters, digits, spaces, hyphens and apostrophes. */
export function fold(text: string): Folded {
  const words = joinLetters(text.split(BETWEEN_WORDS).filter((word) => word !== ''))
  return { words: words.map(foldWord), joined: foldWord(words.join('')) }
}

/** True if the word is one of `list`, as typed or as it looks. The list is in lower case. */
export function isIn({ text, latin, looksLatin }: FoldedWord, list: ReadonlySet<string>): boolean {
  return list.has(text) || (looksLatin && list.has(latin))
}

/** Patterns of what looks like a letter, the letter itself included. */
const alike: Readonly<Record<string, string>> = { i: '[il1]', l: '[il1]', m: '(?:m|rn)', o: '[o0]', w: '(?:w|vv)' }

/** Matches a word by its looks, in which a letter may be repeated: `suppport`, but not `suport`. */
function patternOf(wanted: string): string {
  return [...wanted.matchAll(/(.)\1*/gu)]
    .map(([run, letter = '']) => `${alike[letter] ?? letter}{${[...run].length},}`)
    .join('')
}

type Place = 'whole' | 'part' | 'end'
const around: Record<Place, (pattern: string) => string> = {
  whole: (pattern) => `^${pattern}$`,
  part: (pattern) => pattern,
  end: (pattern) => `^${pattern}|${pattern}$`,
}
const patterns = new Map<string, RegExp>()

function matches({ latin, looksLatin }: FoldedWord, wanted: string, place: Place): boolean {
  if (!looksLatin) return false
  const key = `${place} ${wanted}`
  const pattern = patterns.get(key) ?? new RegExp(around[place](patternOf(wanted)), 'u')
  patterns.set(key, pattern)
  return pattern.test(latin)
}

/** True if the word looks like `wanted`, which is in small Latin letters. */
export const looksLike = (word: FoldedWord, wanted: string) => matches(word, wanted, 'whole')

/** True if a part of the word looks like `wanted`. */
export const looksPartly = (word: FoldedWord, wanted: string) => matches(word, wanted, 'part')

/** True if the word begins or ends with what looks like `wanted`. */
export const looksAtEnd = (word: FoldedWord, wanted: string) => matches(word, wanted, 'end')
