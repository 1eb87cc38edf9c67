import type { Clock } from '../../platform/rules/clock.ts'
import type { RefusedWords } from './refused-phrases.ts'
import { foldRefused, type RefusedPhrase } from './refused-phrases.ts'
import { isInterestRefused, maySuggest, type NicknameFault, nicknameFault } from './visible-words.ts'

/** Time for which one reading of the refused words is used for the nicknames of matches. */
const READING_MS = 10_000
/** Most nicknames whose result is remembered; one check takes a third of a millisecond. */
const REMEMBERED_MAX = 10_000

/** Checks words by the lists and by what moderators refuse. */
export function createWordChecks(refusedWords: Pick<RefusedWords, 'all'>, clock: Pick<Clock, 'now'>) {
  let folded: { key: string; phrases: RefusedPhrase[] } = { key: '', phrases: [] }
  let reading: { until: number; phrases: Promise<RefusedPhrase[]> } | null = null
  /** Results by nickname, for these refused phrases. */
  let results: { phrases: readonly RefusedPhrase[]; faults: Map<string, NicknameFault | null> } | null = null

  /** Resolves with the phrases that moderators refuse now, by whichever server they were entered. */
  async function refused(): Promise<RefusedPhrase[]> {
    const words = (await refusedWords.all()).map(({ word }) => word)
    const key = words.join('\n')
    if (key !== folded.key) folded = { key, phrases: foldRefused(words) }
    return folded.phrases
  }

  function recentlyRefused(): Promise<RefusedPhrase[]> {
    if (reading && clock.now() < reading.until) return reading.phrases
    const fresh = { until: clock.now() + READING_MS, phrases: refused() }
    reading = fresh
    fresh.phrases.catch(() => {
      if (reading === fresh) reading = null
    })
    return fresh.phrases
  }

  function remembered(nickName: string, phrases: readonly RefusedPhrase[]): NicknameFault | null {
    if (results?.phrases !== phrases || results.faults.size >= REMEMBERED_MAX) results = { phrases, faults: new Map() }
    const known = results.faults.get(nickName)
    if (known !== undefined) return known
    const fault = nicknameFault(nickName, phrases)
    results.faults.set(nickName, fault)
    return fault
  }

  return {
    /** Resolves with why a new nickname is refused, null if it is not. */
    async faultOfNickname(nickName: string): Promise<NicknameFault | null> {
      return nicknameFault(nickName, await refused())
    },

    /** Resolves with true if none of the interests is refused. */
    async mayHave(interests: readonly string[]): Promise<boolean> {
      const phrases = await refused()
      return !interests.some((interest) => isInterestRefused(interest, phrases))
    },

    /** Resolves with the interests that may be offered to people who do not have them. */
    async suggestable(interests: readonly string[]): Promise<string[]> {
      const phrases = await refused()
      return interests.filter((interest) => maySuggest(interest, phrases))
    },

    /** Resolves with the nickname as peers see it: empty for a nickname that would be refused today. */
    async shownNickname(nickName: string): Promise<string> {
      return remembered(nickName, await recentlyRefused()) === null ? nickName : ''
    },
  }
}
export type WordChecks = ReturnType<typeof createWordChecks>
