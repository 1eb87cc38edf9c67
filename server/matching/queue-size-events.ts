import type { LanguageCounts } from './rules/activity.ts'
import type { UserConnections } from './rules/ports.ts'
import { toldQueueSize, toldSpeakers } from './rules/queue-size.ts'

/** Time between two looks at the numbers; a user hears of a change at most this often. */
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

/** How many others search; and of them, for a user who has named languages, how many at least speak one of these. */
type Told = [size: number] | [size: number, speakers: number]
const isSame = (one: Told | undefined, other: Told) => one?.[0] === other[0] && one[1] === other[1]

/**
 * Tells each user who searches how many others do: at the beginning, and when the number has changed. The numbers are computed for all
 * of them, and without a change no user is looked at. The rounding of large numbers keeps changes rare where the users are many.
 */
export class QueueSizeEvents {
  readonly #deps: Deps
  /** The numbers at the last look: of all, and by language. */
  #size = 0
  #speakers = new Map<string, number | null>()
  /** What each user was told last. */
  readonly #told = new Map<string, Told>()
  /** Users who began to search since the last look. */
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

  /** True if a number that users are told differs from that of the last look. */
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

  /** One person may speak several of the languages, so that the number of speakers is that of the commonest language. */
  #toldTo(accountId: string): Told {
    const { countAll, speakersOf, languagesOf } = this.#deps
    const size = toldQueueSize(countAll() - 1)
    const speakers = toldSpeakers(Math.max(0, ...languagesOf(accountId).map(speakersOf)) - 1)
    return speakers === null ? [size] : [size, speakers]
  }

  /** Tells the user what has changed. An absent user is told when they are back. */
  #tell(accountId: string): void {
    const { connections, isSearching } = this.#deps
    if (!isSearching(accountId) || !connections.of(accountId)?.open) return
    const told = this.#toldTo(accountId)
    if (isSame(this.#told.get(accountId), told)) return
    this.#told.set(accountId, told)
    connections.send(accountId, 'OnQueueSize', told)
  }
}
