import { type ReadonlySignal, signal } from '@preact/signals-react'

/** Handles an error of a request; `where` names the request in the log. */
export type Fail = (thrown: unknown, where: string) => void
export type SingleTask = ReturnType<typeof createSingleTask>

/** Runs one task at a time; `busy` is true while it runs. */
export function createSingleTask() {
  const busy = signal(false)
  return {
    busy: busy as ReadonlySignal<boolean>,

    /**
     * Resolves with true if the task succeeded; with false if it failed or another runs. `failed` handles the error.
     */
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
