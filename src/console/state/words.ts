import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { ConsoleWords } from '#protocol/console-words.ts'
import type { ConsoleApi } from '../ports.ts'
import type { Fail } from './queue.ts'

/** The words that moderators refuse, and the interests that are suggested now. */
export function createConsoleWords(api: ConsoleApi, fail: Fail) {
  const words = signal<ConsoleWords | null>(null)
  const changing = signal(false)

  /** Resolves with true if the words were changed. One change at a time. */
  async function change(name: 'refuseWord' | 'allowWord', word: string): Promise<boolean> {
    if (changing.peek()) return false
    changing.value = true
    try {
      words.value = await api.request(name, { word })
      return true
    } catch (thrown) {
      fail(thrown, 'a word')
      return false
    } finally {
      changing.value = false
    }
  }

  return {
    /** Null until they are read. */
    words: words as ReadonlySignal<ConsoleWords | null>,
    /** True while a change is being sent. */
    changing: changing as ReadonlySignal<boolean>,

    async read(): Promise<void> {
      try {
        words.value = await api.request('readWords', undefined)
      } catch (thrown) {
        fail(thrown, 'the words')
      }
    },

    refuse: (word: string) => change('refuseWord', word),
    allow: (word: string) => change('allowWord', word),

    clear(): void {
      words.value = null
    },
  }
}
