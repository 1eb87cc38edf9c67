import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { Case, ConsoleInput } from '#protocol/console.ts'
import { toAppError } from '#protocol/errors.ts'
import type { ConsoleApi } from '../ports.ts'
import { createOpened, type Fail, type SingleTask } from './requests.ts'

/** A requested picture of the open case; `broken` if its signature does not match. */
export type Evidence = { state: 'intact'; url: string; open: boolean } | { state: 'broken'; url: null; open: false }
type Pictures = ReadonlyMap<string, Evidence>
type Decision = Omit<ConsoleInput<'decide'>, 'id' | 'version'>

type Deps = {
  fail: Fail
  /** The task that is shared with the login: no decision is sent while a login or another decision is being sent. */
  task: SingleTask
  /** Shows the text until the next call; null hides it. */
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
  const { opened, missing, selected, read, ...shown } = createOpened<Case>(
    (id) => api.request('readCase', { id }),
    (thrown) => fail(thrown, 'a case'),
  )
  const pictures = signal<Pictures>(new Map())

  function clear(): void {
    shown.clear()
    pictures.value = new Map()
  }

  return {
    openCase: opened,
    missing,
    pictures: pictures as ReadonlySignal<Pictures>,
    clear,
    selected,
    read,

    /** Sets the case to show; null closes the open one. */
    select(id: string | null): void {
      if (opened.peek()?.id !== id) clear()
      shown.select(id)
    },

    /** Shows or hides a picture. When it is first shown it is fetched, which the server records in the audit. */
    async unveil(id: string, open: boolean): Promise<void> {
      const known = pictures.peek().get(id)
      const caseId = opened.peek()?.id
      if (known?.state === 'broken' || caseId === undefined) return
      if (known) {
        pictures.value = new Map(pictures.peek()).set(id, { ...known, open })
        return
      }
      if (!open) return
      try {
        const { jpeg } = await api.request('openEvidence', { caseId, id })
        if (selected() === caseId) pictures.value = new Map(pictures.peek()).set(id, evidenceOf(jpeg))
      } catch (thrown) {
        fail(thrown, 'evidence')
      }
    },

    /**
     * Sends a decision. Resolves with true if it was accepted. If the case has changed meanwhile, nothing is decided
     * and the case is loaded again.
     */
    async decide(decision: Decision): Promise<boolean> {
      const decided = opened.peek()
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
      const id = opened.peek()?.id
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
