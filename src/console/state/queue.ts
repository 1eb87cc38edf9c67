import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { CaseKind, CaseSummary } from '#protocol/console.ts'
import type { ConsoleApi } from '../ports.ts'
import type { Fail } from './requests.ts'

type Queue = { cases: readonly CaseSummary[]; open: number; next: string | null }
type Found = { text: string; cases: readonly CaseSummary[] }

const EMPTY: Queue = { cases: [], open: 0, next: null }
const SEARCH_MIN = 2

/** The queue of cases, page by page, and the search. */
export function createConsoleQueue(api: ConsoleApi, fail: Fail) {
  const kind = signal<CaseKind | null>(null)
  const queue = signal<Queue>(EMPTY)
  const loading = signal(false)
  const found = signal<Found | null>(null)
  let lastRead = 0

  /** Reads the first page, or the page after the cursor. */
  async function read(after: string | null): Promise<void> {
    lastRead += 1
    const thisRead = lastRead
    loading.value = true
    try {
      const filter = kind.peek()
      const page = await api.request('readQueue', { ...(filter && { kind: filter }), ...(after !== null && { after }) })
      if (thisRead !== lastRead) return
      queue.value = after === null ? page : { ...page, cases: [...queue.peek().cases, ...page.cases] }
    } catch (thrown) {
      fail(thrown, 'the queue')
    } finally {
      if (thisRead === lastRead) loading.value = false
    }
  }

  return {
    kind: kind as ReadonlySignal<CaseKind | null>,
    queue: queue as ReadonlySignal<Queue>,
    queueLoading: loading as ReadonlySignal<boolean>,
    /** The results of the search; null without a search. */
    found: found as ReadonlySignal<Found | null>,
    read,

    async filter(next: CaseKind | null): Promise<void> {
      kind.value = next
      found.value = null
      await read(null)
    },

    /** Loads the next page of the queue, unless a page is being loaded. */
    async more(): Promise<void> {
      const { next } = queue.peek()
      if (next !== null && !loading.peek()) await read(next)
    },

    /** Searches for a text of at least two characters. A shorter text clears the results. */
    async search(typed: string): Promise<void> {
      const text = typed.trim()
      if (text.length < SEARCH_MIN) {
        found.value = null
        return
      }
      try {
        const { cases } = await api.request('search', { text })
        found.value = { text, cases }
      } catch (thrown) {
        fail(thrown, 'the search')
      }
    },

    clear(): void {
      queue.value = EMPTY
      found.value = null
    },
  }
}
