import { type ReadonlySignal, signal } from '@preact/signals-react'
import { toAppError } from '#protocol/errors.ts'

/** Handles an error of a request; `where` names the request in the log. */
export type Fail = (thrown: unknown, where: string) => void
export type SingleTask = ReturnType<typeof createSingleTask>

/** Runs one task at a time; `busy` is true while it runs. */
export function createSingleTask() {
  const busy = signal(false)
  return {
    busy: busy as ReadonlySignal<boolean>,

    /** Resolves with true if `task` succeeded; with false if it failed or another runs. `failed` handles the error. */
    async run(task: () => Promise<unknown>, failed: (thrown: unknown) => unknown): Promise<boolean> {
      if (busy.peek()) return false
      busy.value = true
      try {
        await task()
        return true
      } catch (thrown) {
        await failed(thrown)
        return false
      } finally {
        busy.value = false
      }
    },
  }
}

/** The selected entry of a list, such as a case. Responses about entries that are no longer selected are ignored. */
export function createOpened<Entry extends { id: string }>(
  request: (id: string) => Promise<Entry>,
  fail: (thrown: unknown) => void,
) {
  const opened = signal<Entry | null>(null)
  const missing = signal(false)
  let wanted: string | null = null

  function set(id: string, entry: Entry): void {
    if (wanted !== id) return
    opened.value = entry
    missing.value = false
  }

  return {
    opened: opened as ReadonlySignal<Entry | null>,
    /** True if the selected entry does not exist. */
    missing: missing as ReadonlySignal<boolean>,
    selected: (): string | null => wanted,
    /** Shows the entry if `id` is still selected. */
    set,

    /** Sets the entry to show; null closes the open one. */
    select(id: string | null): void {
      wanted = id
      missing.value = false
      if (opened.peek()?.id !== id) opened.value = null
    },

    async read(id: string): Promise<void> {
      try {
        set(id, await request(id))
      } catch (thrown) {
        if (wanted !== id) return
        if (toAppError(thrown).code === 'not-found') missing.value = true
        else fail(thrown)
      }
    },

    clear(): void {
      opened.value = null
    },
  }
}
