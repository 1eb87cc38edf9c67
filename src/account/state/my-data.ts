import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { PendingDeletion } from '#protocol/deletion.ts'
import { toAppError } from '#protocol/errors.ts'
import type { DeletionWait } from '#protocol/start.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import { createRetries } from '../../platform/state/retries.ts'

export type MyDataPorts<File> = {
  api: Api
  /** Resolves with a file of everything that is stored about the user. */
  exportData: () => Promise<File>
  /** Saves the file as a download. */
  save: (file: File, name: string) => void
  clock: Clock
  log: Log
  /** Returns the data of the start about the deletion, once. Null means that it must be requested. */
  first: () => DeletionWait | null
}

/** Outcome of a request about the user's own data. `sign-in-again`: the last sign-in is too old for the request. */
type DataRequestOutcome = 'done' | 'failed' | 'sign-in-again'

export type MyDataStore = ReturnType<typeof createMyDataStore>

const FILE_NAME = 'waggle-my-data.json'

/** Exports the user's data, and requests or cancels their deletion. */
export function createMyDataStore<File>(ports: MyDataPorts<File>) {
  return { ...createExport(ports), ...createDeletion(ports) }
}

/** Runs one request of the user at a time; `busy` is true while it runs. Failures are logged with `what`. */
function createRequest(log: Log) {
  const busy = signal(false)
  return {
    busy: busy as ReadonlySignal<boolean>,
    /** Resolves with `failed` while another request runs. */
    async run(what: string, work: () => Promise<void>): Promise<DataRequestOutcome> {
      if (busy.peek()) return 'failed'
      busy.value = true
      try {
        await work()
        return 'done'
      } catch (thrown) {
        if (toAppError(thrown).code === 'sign-in-again') return 'sign-in-again'
        log.error(`${what} failed`, thrown)
        return 'failed'
      } finally {
        busy.value = false
      }
    },
  }
}

function createExport<File>({ api, exportData, save, log }: MyDataPorts<File>) {
  const { busy, run } = createRequest(log)
  return {
    exporting: busy,

    /** Resolves with `done` after the download has started. */
    download: (): Promise<DataRequestOutcome> =>
      run('The export', async () => {
        // `exportData` runs in the worker and does not pass `watchLogin`; this request does, so that an ended login is noticed first.
        await api.request('validateAccessToken', undefined)
        save(await exportData(), FILE_NAME)
      }),
  }
}

function createDeletion({ api, clock, log, first }: Omit<MyDataPorts<unknown>, 'exportData' | 'save'>) {
  const deletion = signal<PendingDeletion | null>(null)
  const known = signal(false)
  const delayDays = signal<number | null>(null)
  const { busy: changing, run: change } = createRequest(log)
  /** Number of the current load: a response that belongs to a dashboard that was left changes nothing. */
  let loads = 0

  function expectDeletion(): (wait: DeletionWait) => void {
    const before = deletion.peek()
    return (wait) => {
      if (changing.peek() || deletion.peek() !== before) return
      deletion.value = wait.deletion
      delayDays.value = wait.delayDays
    }
  }

  const reading = createRetries({ clock, log }, 'Whether a deletion waits is not known', async (signal) => {
    const show = expectDeletion()
    const wait = await api.request('readDeletion', undefined, signal)
    if (!signal.aborted) show(wait)
  })

  return {
    /** The pending deletion; null if there is none or it is not loaded yet. */
    deletion: deletion as ReadonlySignal<PendingDeletion | null>,
    /** True when the pending deletion is loaded, or could not be. */
    known: known as ReadonlySignal<boolean>,
    /** Number of days in which a deletion can be cancelled; null if unknown. */
    delayDays: delayDays as ReadonlySignal<number | null>,
    /** True while a deletion is being requested or cancelled. */
    changing,

    /**
     * Reads the pending deletion, and repeats after a failure. Resolves after the first attempt. Never rejects: the
     * server also prevents a user with a pending deletion from chatting.
     */
    async load(): Promise<void> {
      loads += 1
      const own = loads
      const answered = first()
      // A response of the start is shown synchronously, since the lobby waits for it.
      if (answered) expectDeletion()(answered)
      else await reading.start()
      if (own === loads) known.value = true
    },

    /** Returns a function that shows a later response, unless the user has changed the deletion meanwhile. */
    expectDeletion,

    /** Requests the deletion, which ends every login session: the caller must then log out. */
    requestDeletion(): Promise<DataRequestOutcome> {
      return change('The request for deletion', async () => {
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

    /** Clears the data when the user logs out. */
    forget(): void {
      loads += 1
      reading.stop()
      deletion.value = null
      known.value = false
    },
  }
}
