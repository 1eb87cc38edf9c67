import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { Case, ConsoleInput } from '#protocol/console.ts'
import { toAppError } from '#protocol/errors.ts'
import type { ConsoleApi } from '../ports.ts'
import type { Fail, SingleTask } from './single-task.ts'

/** A requested picture of the open case; `broken` if its signature does not match. */
export type Evidence = { state: 'intact'; url: string; open: boolean } | { state: 'broken'; url: null; open: false }
type Pictures = ReadonlyMap<string, Evidence>
type Decision = Omit<ConsoleInput<'decide'>, 'id' | 'version'>

type Deps = {
  fail: Fail
  /** A decision is not sent while a login or another decision is. */
  task: SingleTask
  /** Shows the text until the next one; null hides it. */
  tell: (text: string | null) => void
  readQueue: () => Promise<void>
  readStatistics: () => Promise<void>
}

function evidenceOf(jpeg: string | null): Evidence {
  if (jpeg === null) return { state: 'broken', url: null, open: false }
  return { state: 'intact', url: `data:image/jpeg;base64,${jpeg}`, open: true }
}

/** The open case of the console, its pictures, and the decisions about it. */
export function createConsoleCase(api: ConsoleApi, { fail, task, tell, readQueue, readStatistics }: Deps) {
  const openCase = signal<Case | null>(null)
  const missing = signal(false)
  const pictures = signal<Pictures>(new Map())
  /** Id of the case to show; responses about another case are ignored. */
  let wanted: string | null = null

  function clear(): void {
    openCase.value = null
    pictures.value = new Map()
  }

  /** Reads a case; its response is ignored unless the case is selected. */
  async function read(id: string): Promise<void> {
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

    read,

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

    /** Resolves with true if the decision was accepted. If the case has changed, it is loaded again and nothing was decided. */
    async decide(decision: Decision): Promise<boolean> {
      const decided = openCase.peek()
      if (!decided) return false
      const { id, version } = decided
      return await task.run(
        async () => {
          tell(null)
          await api.request('decide', { ...decision, id, version })
          await Promise.all([read(id), readQueue(), readStatistics()])
        },
        async (thrown) => {
          if (toAppError(thrown).code !== 'wrong-state') return fail(thrown, 'a decision')
          tell('This case has changed meanwhile. Look at it again before you decide.')
          await Promise.all([read(id), readQueue()])
        },
      )
    },

    /** Corrects the date of birth of the open case. Resolves with true if the server has stored it. */
    async correctBirth(dateOfBirth: string): Promise<boolean> {
      const id = openCase.peek()?.id
      if (id === undefined) return false
      return await task.run(
        async () => {
          tell(null)
          await api.request('correctBirth', { id, dateOfBirth })
          await Promise.all([read(id), readQueue()])
        },
        (thrown) => fail(thrown, 'a date of birth'),
      )
    },
  }
}
