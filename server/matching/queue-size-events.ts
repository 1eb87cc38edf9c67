import type { LanguageCounts } from './rules/activity.ts'
import type { UserConnections } from './rules/ports.ts'
import { toldQueueSize, toldSpeakers } from './rules/queue-size.ts'

/** Time between two comparisons of the numbers; a user hears of a change at most this often. */
const INTERVAL_MS = 3_000

type Deps = {
  connections: Pick<UserConnections, 'of' | 'send'>
  /** All users who search, of all servers. */
  countAll: () => number
  /** Returns the number of searching users, on all servers, who speak this language. */
  speakersOf: (language: string) => number
  /** The languages of the users of this server who search. */
  speakersHere: () => LanguageCounts
  languagesOf: (accountId: string) => readonly string[]
  isSearching: (accountId: string) => boolean
  /** The users of this server who search. */
  searching: () => Iterable<string>
}

/** Number of others who search, and the least number of them who speak a language of the user. */
type Told = [size: number] | [size: number, speakers: number]
const isSame = (one: Told | undefined, other: Told) => one?.[0] === other[0] && one[1] === other[1]

/** Tells each user who searches how many others search, at first and after a change. Without a change it does not loop over the users. */
export function createQueueSizeEvents(deps: Deps) {
  const { connections, countAll, speakersOf, speakersHere, languagesOf, isSearching, searching } = deps
  /** The numbers at the last comparison: of all users, and by language. */
  let lastSize = 0
  let lastSpeakers = new Map<string, number | null>()
  const told = new Map<string, Told>()
  /** Users who began to search since the last comparison. */
  const begun = new Set<string>()
  let nextAt = Number.NEGATIVE_INFINITY

  /** Returns true when a number that users are told has changed since the last call. */
  function takeChange(): boolean {
    const size = toldQueueSize(countAll() - 1)
    const speakers = new Map([...speakersHere().keys()].map((name) => [name, toldSpeakers(speakersOf(name) - 1)]))
    const isChanged =
      size !== lastSize ||
      [...speakers].some(([name, count]) => lastSpeakers.has(name) && count !== lastSpeakers.get(name))
    lastSize = size
    lastSpeakers = speakers
    return isChanged
  }

  /** One person may speak several languages of the user, so only the speakers of the most common one are counted. */
  function toldTo(accountId: string): Told {
    const size = toldQueueSize(countAll() - 1)
    const speakers = toldSpeakers(Math.max(0, ...languagesOf(accountId).map(speakersOf)) - 1)
    return speakers === null ? [size] : [size, speakers]
  }

  /** Tells the user what has changed. An absent user is told after the return. */
  function tell(accountId: string): void {
    if (!isSearching(accountId) || !connections.of(accountId)?.open) return
    const numbers = toldTo(accountId)
    if (isSame(told.get(accountId), numbers)) return
    told.set(accountId, numbers)
    connections.send(accountId, 'OnQueueSize', numbers)
  }

  return {
    /** Call it when the user has begun to search, or is back. */
    began(accountId: string): void {
      if (!isSearching(accountId)) return
      told.delete(accountId)
      tell(accountId)
      begun.add(accountId)
    },

    sweep(now: number): void {
      if (now < nextAt) return
      nextAt = now + INTERVAL_MS
      const users = takeChange() ? searching() : begun
      for (const accountId of users) tell(accountId)
      begun.clear()
      for (const accountId of told.keys()) if (!isSearching(accountId)) told.delete(accountId)
    },
  }
}
