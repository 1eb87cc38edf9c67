/** How many users search for a match, and how many are in a call. */
export type ActivityCounts = { searching: number; talking: number }
/** By language: the number of searching users who speak it. */
export type LanguageCounts = ReadonlyMap<string, number>

/** The numbers of users who search and who talk, over all servers. */
export interface Activity {
  counts(): ActivityCounts
  /** Returns the number of searching users who speak this language. */
  speakersOf(language: string): number
  /** Sets the functions that count the users of this server. Each user must be counted by one server only. */
  countHere(read: () => ActivityCounts, readLanguages: () => LanguageCounts): void
}

/** The activity of a single server. */
export function createActivity(): Activity & { languages: () => LanguageCounts } {
  let readHere = (): ActivityCounts => ({ searching: 0, talking: 0 })
  let readLanguagesHere = (): LanguageCounts => new Map()
  return {
    counts: () => readHere(),
    languages: () => readLanguagesHere(),
    speakersOf: (language) => readLanguagesHere().get(language) ?? 0,
    countHere(read, readLanguages) {
      readHere = read
      readLanguagesHere = readLanguages
    },
  }
}
