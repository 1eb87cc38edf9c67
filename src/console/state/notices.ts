import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { ConsoleInput } from '#protocol/console.ts'
import type { ContentNoticeSummary, OpenedContentNotice } from '#protocol/console-notices.ts'
import { toAppError } from '#protocol/errors.ts'
import type { ConsoleApi } from '../ports.ts'
import { createOpened, createSingleTask, type Fail } from './requests.ts'

type NoticeQueue = { notices: readonly ContentNoticeSummary[]; open: number }
type NoticeAnswer = Omit<ConsoleInput<'answerContentNotice'>, 'id'>

/** The queue of content notices, and the opened notice. */
export function createConsoleNotices(api: ConsoleApi, fail: Fail) {
  const queue = signal<NoticeQueue>({ notices: [], open: 0 })
  const { opened, missing, selected, read, set, select, clear } = createOpened<OpenedContentNotice>(
    (id) => api.request('openContentNotice', { id }),
    (thrown) => fail(thrown, 'a notice'),
  )
  const task = createSingleTask()

  async function readQueue(): Promise<void> {
    try {
      queue.value = await api.request('readContentNotices', undefined)
    } catch (thrown) {
      fail(thrown, 'the notices')
    }
  }

  async function readWanted(): Promise<void> {
    const id = selected()
    if (id !== null) await read(id)
  }

  return {
    queue: queue as ReadonlySignal<NoticeQueue>,
    opened,
    missing,
    /** True while an answer is being sent. */
    answering: task.busy,
    select,

    async read(): Promise<void> {
      await Promise.all([readQueue(), readWanted()])
    },
    readWanted,

    /** Sends an answer. Resolves with true if it was accepted; otherwise the caller keeps the typed text. */
    async answer(answer: NoticeAnswer): Promise<boolean> {
      const id = opened.peek()?.id
      if (id === undefined) return false
      return await task.run(
        async () => {
          set(id, await api.request('answerContentNotice', { id, ...answer }))
          await readQueue()
        },
        async (thrown) => {
          fail(thrown, 'an answer')
          // `wrong-state`: another moderator has answered, and that answer is shown.
          if (toAppError(thrown).code === 'wrong-state') await readWanted()
        },
      )
    },

    clear(): void {
      queue.value = { notices: [], open: 0 }
      clear()
    },
  }
}
