import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { Language } from '#protocol/languages.ts'
import type { Log } from '../domain/ports.ts'
import type { Catalogue, TextGroup, TextKey } from '../texts/catalogue.ts'
import type { Messages, Placeholders, Values } from '../texts/messages.ts'

/** What is filled into a sentence: nothing, or a value for each name in its braces. */
export type ValuesFor<Key extends TextKey> = [Placeholders<Catalogue[Key]>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<Catalogue[Key]>, string | number>>]

export type Translate = <Key extends TextKey>(key: Key, ...values: ValuesFor<Key>) => string

export type TextStore = ReturnType<typeof createTextStore>

type Ports = {
  language: Language
  load: (language: Language, group: TextGroup) => Promise<Messages>
  /** Keeps the choice for the next visit. */
  remember: (language: Language) => void
  log: Pick<Log, 'error'>
}

/** What a person reads, in the language they chose. A screen's texts are loaded with the screen. */
export function createTextStore({ language: first, load, remember, log }: Ports) {
  const language = signal(first)
  const wanted = new Set<TextGroup>()
  const loading = new Map<string, Promise<Messages>>()
  let messages: Messages = {}
  /** The newest choice; the language on the screen follows when its texts are there. */
  let wish = first

  function loadOnce(of: Language, group: TextGroup): Promise<Messages> {
    const name = `${of} ${group}`
    const known = loading.get(name)
    if (known) return known
    const begun = load(of, group)
    loading.set(name, begun)
    begun.catch(() => loading.delete(name))
    return begun
  }

  async function follow(): Promise<void> {
    const target = wish
    const groups = [...wanted]
    const parts = await Promise.all(groups.map((group) => loadOnce(target, group)))
    if (wish !== target) return follow()
    const loaded = Object.assign({}, ...parts)
    messages = target === language.peek() ? { ...messages, ...loaded } : loaded
    language.value = target
  }

  /** Any sentence whose values are known to fit. */
  function say(key: TextKey, values: Values = {}): string {
    // Read here, so that whoever shows the sentence is drawn again in another language.
    const message = language.value && messages[key]
    if (message === undefined) return key
    return typeof message === 'string' ? message : message.format(values)
  }

  const translate: Translate = (key, ...[values]) => say(key, values)

  return {
    language: language as ReadonlySignal<Language>,
    t: translate,
    say,
    /** Resolves when the texts of these screens are there. */
    need(...groups: TextGroup[]): Promise<void> {
      for (const group of groups) wanted.add(group)
      return follow()
    },

    /** Shows everything in another language, and remembers it. Never rejects: what cannot be loaded leaves all as it was. */
    async choose(next: Language): Promise<void> {
      wish = next
      try {
        await follow()
        if (wish === next) remember(next)
      } catch (thrown) {
        log.error('The language could not be changed', thrown)
        if (wish === next) wish = language.peek()
      }
    },
  }
}
