import type { LanguageCounts } from './rules/activity.ts'
import type { UserConnections } from './rules/ports.ts'
import { toldQueueSize, toldSpeakers } from './rules/queue-size.ts'

/** Time between two comparisons of the numbers; a user hears of a change at most this often. */
const INTERVAL_MS = 3_000

type Deps = {
  connections: Pick<UserConnections, 'of' | 'send'>
  /** All users who search, of all servers. */
  countAll: () => number
  /** How many of all who search speak this language. */
  speakersOf: (language: string) => number
  /** The languages of the users of this server who search. */
  speakersHere: () => LanguageCounts
  languagesOf: (accountId: string) => readonly string[]
  isSearching: (accountId: string) => boolean
  /** The users of this server who search. */
  searching: () => Iterable<string>
}

/** How many others search, and how many of these at least speak a language of the user. */
type Told = [size: number] | [size: number, speakers: number]
const isSame = (one: Told | undefined, other: Told) => one?.[0] === other[0] && one[1] === other[1]

/**
 * Tells each user who searches how many others search, at the beginning and after a change. The numbers are compared once for all users;
 * without a change no user is visited. Large numbers are rounded, so that changes are rare where the users are many.
 */
export class QueueSizeEvents {
  readonly #deps: Deps
  /** The last numbers: of all users, and by language. */
  #size = 0
  #speakers = new Map<string, number | null>()
  readonly #told = new Map<string, Told>()
  /** Users who began to search since the last comparison. */
  readonly #began = new Set<string>()
  #nextAt = Number.NEGATIVE_INFINITY

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Call when the user has begun to search, or is back. */
  began(accountId: string): void {
    if (!this.#deps.isSearching(accountId)) return
    this.#told.delete(accountId)
    this.#tell(accountId)
    this.#began.add(accountId)
  }

  sweep(now: number): void {
    if (now < this.#nextAt) return
    this.#nextAt = now + INTERVAL_MS
    const users = this.#takeChange() ? this.#deps.searching() : this.#began
    for (const accountId of users) this.#tell(accountId)
    this.#began.clear()
    for (const accountId of this.#told.keys()) if (!this.#deps.isSearching(accountId)) this.#told.delete(accountId)
  }

  /** Returns true when a number that users are told has changed since the last call. */
  #takeChange(): boolean {
    const { countAll, speakersOf, speakersHere } = this.#deps
    const size = toldQueueSize(countAll() - 1)
    const speakers = new Map([...speakersHere().keys()].map((name) => [name, toldSpeakers(speakersOf(name) - 1)]))
    const isChanged =
      size !== this.#size ||
      [...speakers].some(([name, count]) => this.#speakers.has(name) && count !== this.#speakers.get(name))
    this.#size = size
    this.#speakers = speakers
    return isChanged
  }

  /** A person may speak several of the languages: the speakers are those of the commonest language. */
  #toldTo(accountId: string): Told {
    const { countAll, speakersOf, languagesOf } = this.#deps
    const size = toldQueueSize(countAll() - 1)
    const speakers = toldSpeakers(Math.max(0, ...languagesOf(accountId).map(speakersOf)) - 1)
    return speakers === null ? [size] : [size, speakers]
  }

  /** Tells the user what has changed. An absent user is told after the return. */
  #tell(accountId: string): void {
    const { connections, isSearching } = this.#deps
    if (!isSearching(accountId) || !connections.of(accountId)?.open) return
    const told = this.#toldTo(accountId)
    if (isSame(this.#told.get(accountId), told)) return
    this.#told.set(accountId, told)
    connections.send(accountId, 'OnQueueSize', told)
  }
}
