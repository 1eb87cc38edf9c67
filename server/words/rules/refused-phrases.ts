import { type Folded, type FoldedWord, fold } from './folded.ts'

/** What a moderator refused, in the form in which interests are kept. Times are milliseconds since 1970. */
export type RefusedWord = { word: string; moderator: string; at: number }

export interface RefusedWords {
  all(): Promise<RefusedWord[]>
  /** Resolves with false, and changes nothing, if the word is refused already or `max` words are refused. */
  add(word: RefusedWord, max: number): Promise<boolean>
  remove(word: string): Promise<boolean>
}

/** What moderators have refused, ready for comparison. */
export type RefusedPhrase = Folded

/** Scripts that write words without spaces between them. */
const NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

export const foldRefused = (phrases: readonly string[]): RefusedPhrase[] => phrases.map(fold)

const isSame = (word: FoldedWord, other: FoldedWord) =>
  word.text === other.text || (word.looksLatin && word.latin === other.latin)

function isPart({ words, joined }: Folded, phrase: RefusedPhrase): boolean {
  if (isSame(joined, phrase.joined)) return true
  if (NO_SPACES.test(phrase.joined.text) && joined.text.includes(phrase.joined.text)) return true
  return words.some((_, at) =>
    phrase.words.every((wanted, offset) => {
      const word = words[at + offset]
      return word !== undefined && isSame(word, wanted)
    }),
  )
}

/** True of a text that is or contains, as whole words, a phrase that moderators refuse. */
export function namesRefused(text: Folded, refused: readonly RefusedPhrase[]): boolean {
  return refused.some((phrase) => isPart(text, phrase))
}
