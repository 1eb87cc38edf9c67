import { type Rank, ranks, SHARED, waiverCode } from './meeting-terms.ts'
import { type ListNode, type QueueEntry, WaitingList } from './waiting-list.ts'

/** By waiver code: the waiting entries of people who share something. */
type Group = (WaitingList | undefined)[]
type LanguageGroup = { all: Group; byInterest: Map<string, Group> }

const isEmpty = (group: Group) => group.every((list) => !list || list.first === null)

/** The waiting entries of one region: of all people, by language, and by language and interest. */
export class WaitingGroups {
  readonly #all: Group = []
  readonly #byLanguage = new Map<string, LanguageGroup>()
  size = 0

  /** Adds the entry to its groups and returns its nodes in their lists. */
  add(entry: QueueEntry): ListNode[] {
    this.size += 1
    for (const language of entry.languages) {
      const group = this.#byLanguage.get(language) ?? { all: [], byInterest: new Map<string, Group>() }
      this.#byLanguage.set(language, group)
      for (const interest of entry.interests) if (!group.byInterest.has(interest)) group.byInterest.set(interest, [])
    }
    const nodes: ListNode[] = []
    for (const rank of ranks) {
      const code = waiverCode(rank, entry)
      for (const group of this.groups(entry, rank)) {
        group[code] ??= new WaitingList()
        nodes.push(group[code].add(entry))
      }
    }
    return nodes
  }

  /** Call when the nodes of the entry have left their lists. */
  remove(entry: QueueEntry): void {
    this.size -= 1
    for (const language of entry.languages) {
      const group = this.#byLanguage.get(language)
      if (!group) continue
      for (const interest of entry.interests) {
        const shared = group.byInterest.get(interest)
        if (shared && isEmpty(shared)) group.byInterest.delete(interest)
      }
      if (isEmpty(group.all)) this.#byLanguage.delete(language)
    }
  }

  /** Returns the groups of people who share with this entry what the rank says. */
  groups({ languages, interests }: QueueEntry, rank: Rank): Group[] {
    if (rank === SHARED.nothing) return [this.#all]
    const found: Group[] = []
    for (const language of languages) {
      const group = this.#byLanguage.get(language)
      if (group && rank === SHARED.language) found.push(group.all)
      if (!group || rank === SHARED.language) continue
      for (const interest of interests) {
        const shared = group.byInterest.get(interest)
        if (shared) found.push(shared)
      }
    }
    return found
  }
}
