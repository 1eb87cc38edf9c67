import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { Language } from '#protocol/languages.ts'
import type { Log } from '../log.ts'
import type { Catalogue, TextGroup, TextKey } from './catalogue.ts'
import type { FilledMessage, Messages, Placeholders, Values } from './messages.ts'

/** Arguments for a sentence: a value for each placeholder, no argument without placeholders. */
export type ValuesFor<Key extends TextKey> = [Placeholders<Catalogue[Key]>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<Catalogue[Key]>, string | number>>]

export type Translate = <Key extends TextKey>(key: Key, ...values: ValuesFor<Key>) => string

export type TextStore = ReturnType<typeof createTextStore>

type Ports = {
  language: Language
  load: (language: Language, group: TextGroup) => Promise<Messages>
  /** Stores the chosen language. */
  remember: (language: Language) => void
  log: Pick<Log, 'error'>
}

/** The texts in the chosen language. The texts of a screen are loaded with it. */
export function createTextStore({ language: first, load, remember, log }: Ports) {
  const language = signal(first)
  const wanted = new Set<TextGroup>()
  const loading = new Map<string, Promise<Messages>>()
  let messages: Messages = {}
  /** The language that was chosen last. `language` changes to it when its texts are loaded. */
  let chosen = first

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
    const target = chosen
    const groups = [...wanted]
    const parts = await Promise.all(groups.map((group) => loadOnce(target, group)))
    if (chosen !== target) return follow()
    const loaded = Object.assign({}, ...parts)
    messages = target === language.peek() ? { ...messages, ...loaded } : loaded
    language.value = target
  }

  /** Formats a sentence. The caller ensures that the values fit the key. */
  function format(key: TextKey, values: Values = {}): string {
    // Reads the signal, so that effects and computed texts run again when the language changes.
    const message = language.value && messages[key]
    if (message === undefined) return key
    return typeof message === 'string' ? message : message.format(values)
  }

  const translate: Translate = (key, ...[values]) => format(key, values)

  return {
    language: language as ReadonlySignal<Language>,
    t: translate,
    format,
    /** Loads text groups. Resolves when all are loaded. */
    need(...groups: TextGroup[]): Promise<void> {
      for (const group of groups) wanted.add(group)
      return follow()
    },

    /** Switches to another language and stores it. Never rejects: if loading fails, the language does not change. */
    async choose(next: Language): Promise<void> {
      chosen = next
      try {
        await follow()
        if (chosen === next) remember(next)
      } catch (thrown) {
        log.error('The language could not be changed', thrown)
        if (chosen === next) chosen = language.peek()
      }
    },
  }
}

/** A sentence with values but no plural, as the build compiled it: words, and for each value its name in a list. */
export function filled(tokens: (string | [name: string])[]): FilledMessage {
  return {
    tokens,
    format: (values) => tokens.map((token) => (typeof token === 'string' ? token : values[token[0]])).join(''),
  }
}
