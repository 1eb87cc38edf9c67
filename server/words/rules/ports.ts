/** What a moderator refused, in the form in which interests are kept. Times are milliseconds since 1970. */
export type RefusedWord = { word: string; moderator: string; at: number }

export interface RefusedWords {
  all(): Promise<RefusedWord[]>
  /** Resolves with false, and changes nothing, if the word is refused already or `max` words are refused. */
  add(word: RefusedWord, max: number): Promise<boolean>
  remove(word: string): Promise<boolean>
}
