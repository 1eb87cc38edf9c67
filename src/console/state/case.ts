import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { Case } from '#protocol/console.ts'
import { toAppError } from '#protocol/errors.ts'
import type { ConsoleApi } from '../ports.ts'
import type { Fail } from './queue.ts'

/** A requested picture of the open case; `broken` if its signature does not match. */
export type Evidence = { state: 'intact'; url: string; open: boolean } | { state: 'broken'; url: null; open: false }
type Pictures = ReadonlyMap<string, Evidence>

function evidenceOf(jpeg: string | null): Evidence {
  if (jpeg === null) return { state: 'broken', url: null, open: false }
  return { state: 'intact', url: `data:image/jpeg;base64,${jpeg}`, open: true }
}

/** The open case of the console and its pictures. */
export function createConsoleCase(api: ConsoleApi, fail: Fail) {
  const openCase = signal<Case | null>(null)
  const missing = signal(false)
  const pictures = signal<Pictures>(new Map())
  /** Id of the case to show; responses about another case are ignored. */
  let wanted: string | null = null

  function clear(): void {
    openCase.value = null
    pictures.value = new Map()
  }

  return {
    openCase: openCase as ReadonlySignal<Case | null>,
    /** True if the requested case does not exist. */
    missing: missing as ReadonlySignal<boolean>,
    pictures: pictures as ReadonlySignal<Pictures>,
    clear,

    /** Sets the case to show; null closes the open one. */
    select(id: string | null): void {
      wanted = id
      missing.value = false
      if (openCase.peek()?.id !== id) clear()
    },

    selected: (): string | null => wanted,

    /** Reads a case; its response is ignored unless the case is selected. */
    async read(id: string): Promise<void> {
      try {
        const response = await api.request('readCase', { id })
        if (wanted !== id) return
        openCase.value = response
        missing.value = false
      } catch (thrown) {
        if (wanted !== id) return
        if (toAppError(thrown).code === 'not-found') missing.value = true
        else fail(thrown, 'a case')
      }
    },

    /** Shows or hides a picture. The first time it is fetched, which the server records in the audit. */
    async unveil(id: string, open: boolean): Promise<void> {
      const known = pictures.peek().get(id)
      const caseId = openCase.peek()?.id
      if (known?.state === 'broken' || caseId === undefined) return
      if (known) {
        pictures.value = new Map(pictures.peek()).set(id, { ...known, open })
        return
      }
      if (!open) return
      try {
        const { jpeg } = await api.request('openEvidence', { caseId, id })
        if (wanted === caseId) pictures.value = new Map(pictures.peek()).set(id, evidenceOf(jpeg))
      } catch (thrown) {
        fail(thrown, 'evidence')
      }
    },
  }
}
