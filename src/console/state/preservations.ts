import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { ConsoleInput } from '#protocol/console.ts'
import type { OpenedPreservation, Preservation } from '#protocol/console-preservations.ts'
import { shownReference } from '#protocol/content-notices.ts'
import type { ConsoleApi } from '../ports.ts'
import { printedReport } from '../rules/printed-report.ts'
import { createSingleTask, type Fail } from './requests.ts'

export type SaveFile = (file: Blob, name: string) => void
type ReportFormat = 'json' | 'html'

/** Shows the cases that are preserved for the authorities, and the opened preservation. */
export function createConsolePreservations(api: ConsoleApi, fail: Fail, saveFile: SaveFile) {
  const list = signal<readonly Preservation[] | null>(null)
  const opened = signal<OpenedPreservation | null>(null)
  const task = createSingleTask()

  /** Runs `work`. Resolves with true if it succeeded; with false if it failed or other work is running. */
  const run = (what: string, work: () => Promise<void>) => task.run(work, (thrown) => fail(thrown, what))

  async function readList(): Promise<void> {
    list.value = (await api.request('readPreservations', undefined)).preservations
  }

  async function readOpened(id: string): Promise<void> {
    opened.value = await api.request('openPreservation', { id })
  }

  return {
    /** The preserved cases; null until they are read. */
    list: list as ReadonlySignal<readonly Preservation[] | null>,
    opened: opened as ReadonlySignal<OpenedPreservation | null>,
    busy: task.busy,

    read: () => run('the preservations', readList),
    open: (id: string) => run('a preservation', () => readOpened(id)),

    /** Copies the current state of the case for the authorities. */
    preserve: (input: ConsoleInput<'preserveCase'>) =>
      run('a preservation', async () => {
        await api.request('preserveCase', input)
        opened.value = null
        await readList()
      }),

    judge: (id: string, isRight: boolean) =>
      run('a confirmation', async () => {
        const { preservation } = await api.request('judgePreservation', { id, isRight })
        if (preservation) await readOpened(id)
        else opened.value = null
        await readList()
      }),

    save: ({ id, receipt }: Preservation, format: ReportFormat) =>
      run('an export', async () => {
        const { report } = await api.request('exportPreservation', { id })
        const file =
          format === 'json'
            ? new Blob([JSON.stringify(report, null, 2)], { type: 'application/json' })
            : new Blob([printedReport(`Preservation ${shownReference(receipt)}`, report)], { type: 'text/html' })
        saveFile(file, `preservation-${receipt}.${format}`)
      }),

    setSent: (input: ConsoleInput<'recordPreservationSent'>) =>
      run('the authority', async () => {
        await api.request('recordPreservationSent', input)
        await readOpened(input.id)
        await readList()
      }),

    clear(): void {
      list.value = null
      opened.value = null
    },
  }
}
