import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { BlockStatus } from '#protocol/block-status.ts'
import type { BlockCase, CaseNotice } from '#protocol/moderation.ts'
import type { BlockState } from '#protocol/start.ts'
import type { Account } from '../../account/use-account.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import type { ToastStore } from '../../platform/state/toasts.ts'

/** The user's block status, its case, and the appeal. */
export function createBlockStatus(
  { api, log }: { api: Api; log: Log },
  account: Account['account'],
  toasts: ToastStore,
) {
  const status = signal<BlockStatus | null>(null)
  const blockCase = signal<BlockCase | null>(null)
  const notice = signal<CaseNotice | null>(null)
  const appealing = signal(false)
  const appealed = signal(false)

  function show(state: Omit<BlockState, 'status'> & { status: BlockStatus | null }): void {
    status.value = state.status
    blockCase.value = state.case ?? null
    notice.value = state.notice ?? null
  }

  return {
    show,
    status: status as ReadonlySignal<BlockStatus | null>,
    /** Why the user has this status; null if the server sends no case. */
    blockCase: blockCase as ReadonlySignal<BlockCase | null>,
    /** How the last restriction ended; set on the first visit after its end, else null. */
    notice: notice as ReadonlySignal<CaseNotice | null>,
    appealing: appealing as ReadonlySignal<boolean>,
    /** True after an appeal in this visit was accepted, to show the confirmation. */
    appealed: appealed as ReadonlySignal<boolean>,

    /**
     * Returns a function that shows a later answer of the server, unless the status has changed here meanwhile. A
     * notice that is shown stays until the dashboard is left, although the server has marked it as seen.
     */
    expect(): (state: BlockState) => void {
      const before = status.peek()
      return (state) => {
        if (appealing.peek() || status.peek() !== before) return
        show({ ...state, notice: state.notice ?? notice.peek() })
      }
    },

    forget(): void {
      show({ status: null, case: null, notice: null })
      appealed.value = false
    },

    async read(signal: AbortSignal): Promise<void> {
      const response = await api.request('readBlockStatus', {}, signal)
      if (!signal.aborted) show(response)
    },

    noticeSeen(): void {
      api
        .request('seeCaseNotice', { UserEmailAddress: account.email.peek() })
        .catch((thrown: unknown) => log.error('The notice was not marked as seen', thrown))
    },

    async appeal(): Promise<void> {
      if (appealing.peek()) return
      appealing.value = true
      try {
        const response = await api.request('appeal', { UserEmailAddress: account.email.peek() })
        status.value = response.status
        blockCase.value = response.case ?? null
        appealed.value = true
      } catch (thrown) {
        toasts.fail(thrown, 'appeal')
      } finally {
        appealing.value = false
      }
    },
  }
}
