import tlds from 'tlds' with { type: 'json' }
import { type Folded, type FoldedWord, isIn, looksLike } from './folded.ts'
import { numberWords } from './number-words.ts'

/** Words, besides the number words, that people say for a digit or before a digit. */
const spokenDigits = {
  en: 'oh nought naught nil double triple',
  es: 'doble triple',
  ja: '〇',
  ko: '공',
  zh: '一 二 三 四 五 六 七 八 九 〇 两 兩 幺',
}

type Numbers = { words: ReadonlySet<string>; single: RegExp; run: RegExp }

/** Languages whose numbers are found within longer words. In other languages, a word such as "Argentinien" would contain three numbers. */
const withinWords = new Set(['en', 'es', 'ja', 'ko', 'th', 'zh'])

function numbersOf(text: string, isWithin: boolean): Numbers {
  const words = new Set(text.split(' '))
  // The longest words first, so that "sixteen" is one number and not "six".
  const any = [...words].sort((one, other) => other.length - one.length).join('|')
  const run = `(?:${any}){2,}`
  return { words, single: new RegExp(any, 'gu'), run: new RegExp(isWithin ? run : `^${run}$`, 'gu') }
}

const spokenIn = new Map(Object.entries(spokenDigits))
const languages: Numbers[] = Object.entries(numberWords).map(([language, words]) =>
  numbersOf([words, spokenIn.get(language) ?? []].flat().join(' '), withinWords.has(language)),
)
/** The languages of the product together, since one number may mix them. */
const mixed = numbersOf([numberWords.en, numberWords.es, spokenDigits.en, spokenDigits.es].join(' '), true)

function countIn(word: FoldedWord, { words, single, run }: Numbers): number {
  if (isIn(word, words)) return 1
  const within = (text: string) =>
    (text.match(run) ?? []).reduce((sum, part) => sum + (part.match(single)?.length ?? 0), 0)
  return Math.max(within(word.text), word.looksLatin ? within(word.latin) : 0)
}

/** Returns the number of digits in the text plus the number of digits that it spells, in the language in which it spells the most. */
export function countNumbers({ words, joined }: Folded): number {
  const digits = joined.text.match(/\p{Nd}/gu)?.length ?? 0
  const spelt = [...languages, mixed].map((numbers) => words.reduce((sum, word) => sum + countIn(word, numbers), 0))
  return digits + Math.max(...spelt)
}

const dots = new Set(
  [
    'dot punto ponto punkt punct punt kropka tecka tocka nokta titik piste',
    'точка крапка тачка τελεία نقطة نقطه נקודה डॉट 点 點 ドット 닷 จุด',
  ]
    .join(' ')
    .split(' '),
)
const spokenTlds = 'ком орг нет ру κομ كوم کام קום कॉम コム 컴 คอม'.split(' ')
/** After a dot these make an address anywhere in a text. Other top-level domains are also words, and make an address only at the end. */
const clearTlds = new Set([...'com net org info biz io gg xyz online site shop chat link'.split(' '), ...spokenTlds])
const allTlds = new Set<string>(tlds)
const addressWords = new Set('www http https arroba gmail hotmail'.split(' '))
/** At the end of a text these make an address even without a dot, except in "romcom". */
const bareEnds = new Set(['com', 'net', 'org'])
const ROM_COM = 'romcom'

const dotWords = [...dots].join('|')
const inOneWord = new RegExp(`(?:${dotWords})(?:${[...clearTlds].join('|')})$`, 'u')

function isAddressInOneWord({ text, latin }: FoldedWord): boolean {
  return inOneWord.test(text) || inOneWord.test(latin)
}

/** True of a text that spells the address of a page or a mailbox, such as "example dot com". */
export function spellsAddress({ words, joined }: Folded): boolean {
  if (words.some((word) => isIn(word, addressWords) || isAddressInOneWord(word))) return true
  const isDot = words.map((word) => isIn(word, dots) || looksLike(word, 'dot'))
  const last = words.length - 1
  const hasDomain = words.some((word, at) => {
    if (at === 0 || !isDot[at - 1]) return false
    return isIn(word, clearTlds) || looksLike(word, 'com') || (at === last && at > 1 && isIn(word, allTlds))
  })
  if (hasDomain || isDot.filter((is, at) => is && at > 0 && at < last).length > 1) return true
  const end = words.at(-1)
  return last > 0 && end !== undefined && isIn(end, bareEnds) && joined.latin !== ROM_COM
}
