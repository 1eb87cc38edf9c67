import { type ReadonlySignal, signal } from '@preact/signals-react'
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

export type MyDataStore = ReturnType<typeof createMyDataStore>

const FILE_NAME = 'waggle-my-data.json'

/** What a person may do with their own data: take them along, have them deleted, change their mind. */
export function createMyDataStore<File>({ api, exportData, save, log }: MyDataPorts<File>) {
  const exporting = signal(false)
  const deletion = signal<PendingDeletion | null>(null)
  const delayDays = signal<number | null>(null)
  const changing = signal(false)

  /** True when it went well; one at a time. */
  async function change(what: string, work: () => Promise<void>): Promise<boolean> {
    if (changing.peek()) return false
    changing.value = true
    try {
      await work()
      return true
    } catch (thrown) {
      log.error(`${what} failed`, thrown)
      return false
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

    /** True when the person has the file. */
    async download(): Promise<boolean> {
      if (exporting.peek()) return false
      exporting.value = true
      try {
        // The worker's own call tells nobody here that the login is over; this one does.
        await api.call('validateAccessToken', undefined)
        save(await exportData(), FILE_NAME)
        return true
      } catch (thrown) {
        log.error('The data were not exported', thrown)
        return false
      } finally {
        exporting.value = false
      }
    },

    /** Reads whether a deletion waits. Never rejects: the server does not let anybody chat whose deletion does. */
    async load(): Promise<void> {
      try {
        const answer = await api.call('readDeletion', undefined)
        deletion.value = answer.deletion
        delayDays.value = answer.delayDays
      } catch (thrown) {
        log.error('Whether a deletion waits is not known', thrown)
      }
    },

    /** Every login ends with it: what comes next is to leave. */
    requestDeletion(): Promise<boolean> {
      return change('The wish for deletion', async () => {
        deletion.value = await api.call('deleteData', undefined)
      })
    },

    keep(): Promise<boolean> {
      return change('Keeping the account', async () => {
        await api.call('keepData', undefined)
        deletion.value = null
      })
    },

    /** Nothing of one person is left for the next. */
    forget(): void {
      deletion.value = null
    },
  }
}
