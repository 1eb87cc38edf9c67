import { type ReadonlySignal, signal } from '@preact/signals-react'
import { toAppError } from '#protocol/errors.ts'
import type { PendingDeletion } from '#protocol/my-data.ts'
import type { Api, Log } from '../domain/ports.ts'

export type MyDataPorts<File> = {
  api: Api
  /** Everything that the server keeps about this person, as a file. */
  exportData: () => Promise<File>
  /** Hands the file to the person. */
  save: (file: File, name: string) => void
  log: Log
}

/** Outcome of a request about one's own data. `sign-in-again`: the last sign-in is too old for it. */
export type DataRequestOutcome = 'done' | 'failed' | 'sign-in-again'

export type MyDataStore = ReturnType<typeof createMyDataStore>

const FILE_NAME = 'waggle-my-data.json'

/** What a person may do with their own data: take them along, have them deleted, change their mind. */
export function createMyDataStore<File>({ api, exportData, save, log }: MyDataPorts<File>) {
  const exporting = signal(false)
  const deletion = signal<PendingDeletion | null>(null)
  const delayDays = signal<number | null>(null)
  const changing = signal(false)

  function outcomeOf(what: string, thrown: unknown): DataRequestOutcome {
    if (toAppError(thrown).code === 'sign-in-again') return 'sign-in-again'
    log.error(`${what} failed`, thrown)
    return 'failed'
  }

  /** One at a time. */
  async function change(what: string, work: () => Promise<void>): Promise<DataRequestOutcome> {
    if (changing.peek()) return 'failed'
    changing.value = true
    try {
      await work()
      return 'done'
    } catch (thrown) {
      return outcomeOf(what, thrown)
    } finally {
      changing.value = false
    }
  }

  return {
    exporting: exporting as ReadonlySignal<boolean>,
    /** A deletion that was asked for and can still be read about; null while there is none, or nobody has asked yet. */
    deletion: deletion as ReadonlySignal<PendingDeletion | null>,
    /** How many days a wish for deletion can be taken back; null where that is not known. */
    delayDays: delayDays as ReadonlySignal<number | null>,
    /** True while a wish for deletion is being sent or taken back. */
    changing: changing as ReadonlySignal<boolean>,

    /** `done` when the person has the file. */
    async download(): Promise<DataRequestOutcome> {
      if (exporting.peek()) return 'failed'
      exporting.value = true
      try {
        // The worker's own call tells nobody here that the login is over; this one does.
        await api.request('validateAccessToken', undefined)
        save(await exportData(), FILE_NAME)
        return 'done'
      } catch (thrown) {
        return outcomeOf('The export', thrown)
      } finally {
        exporting.value = false
      }
    },

    /** Reads whether a deletion waits. Never rejects: the server does not let anybody chat whose deletion does. */
    async load(): Promise<void> {
      try {
        const answer = await api.request('readDeletion', undefined)
        deletion.value = answer.deletion
        delayDays.value = answer.delayDays
      } catch (thrown) {
        log.error('Whether a deletion waits is not known', thrown)
      }
    },

    /** Every login ends with it: what comes next is to leave. */
    requestDeletion(): Promise<DataRequestOutcome> {
      return change('The wish for deletion', async () => {
        deletion.value = await api.request('deleteData', undefined)
      })
    },

    async keep(): Promise<boolean> {
      const outcome = await change('Keeping the account', async () => {
        await api.request('keepData', undefined)
        deletion.value = null
      })
      return outcome === 'done'
    },

    /** Nothing of one person is left for the next. */
    forget(): void {
      deletion.value = null
    },
  }
}
