import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { ConsoleInput } from '#protocol/console.ts'
import type { ContentNoticeSummary, OpenedContentNotice } from '#protocol/console-notices.ts'
import { toAppError } from '#protocol/errors.ts'
import type { ConsoleApi } from '../ports.ts'
import { createSingleTask, type Fail } from './single-task.ts'

type NoticeQueue = { notices: readonly ContentNoticeSummary[]; open: number }
type NoticeAnswer = Omit<ConsoleInput<'answerContentNotice'>, 'id'>

/** The queue of content notices, and the opened notice. */
export function createConsoleNotices(api: ConsoleApi, fail: Fail) {
  const queue = signal<NoticeQueue>({ notices: [], open: 0 })
  const opened = signal<OpenedContentNotice | null>(null)
  const missing = signal(false)
  const task = createSingleTask()
  /** Id of the notice to show; responses about another notice are ignored. */
  let wanted: string | null = null

  async function readQueue(): Promise<void> {
    try {
      queue.value = await api.request('readContentNotices', undefined)
    } catch (thrown) {
      fail(thrown, 'the notices')
    }
  }

  async function readWanted(): Promise<void> {
    const id = wanted
    if (id === null) return
    try {
      const notice = await api.request('openContentNotice', { id })
      if (wanted === id) opened.value = notice
    } catch (thrown) {
      if (wanted !== id) return
      if (toAppError(thrown).code === 'not-found') missing.value = true
      else fail(thrown, 'a notice')
    }
  }

  return {
    queue: queue as ReadonlySignal<NoticeQueue>,
    opened: opened as ReadonlySignal<OpenedContentNotice | null>,
    /** True if the requested notice does not exist. */
    missing: missing as ReadonlySignal<boolean>,
    /** True while an answer is being sent. */
    answering: task.busy,

    /** Sets the notice to show; null closes the opened one. */
    select(id: string | null): void {
      wanted = id
      missing.value = false
      if (opened.peek()?.id !== id) opened.value = null
    },

    /** Reads the queue and the notice to show. */
    async read(): Promise<void> {
      await Promise.all([readQueue(), readWanted()])
    },
    readWanted,

    /** Resolves with true if the answer was accepted. Otherwise the caller keeps the typed text. */
    async answer(answer: NoticeAnswer): Promise<boolean> {
      const id = opened.peek()?.id
      if (id === undefined) return false
      return await task.run(
        async () => {
          const answered = await api.request('answerContentNotice', { id, ...answer })
          if (wanted === id) opened.value = answered
          await readQueue()
        },
        async (thrown) => {
          fail(thrown, 'an answer')
          // Another moderator has answered: show that answer.
          if (toAppError(thrown).code === 'wrong-state') await readWanted()
        },
      )
    },

    clear(): void {
      queue.value = { notices: [], open: 0 }
      opened.value = null
    },
  }
}
