import { type ReadonlySignal, signal } from '@preact/signals-react'
import { type Checked, isOneOf } from '#protocol/checks.ts'
import { type AppError, type ErrorCode, toAppError } from '#protocol/errors.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { TextKey } from '../texts/catalogue.ts'
import type { Values } from '../texts/messages.ts'
import type { ValuesFor } from '../texts/texts.ts'

const POPUP_MS = 5_000

/** How a screen continues after a failure without losing the user's input. `again` retries, `back` shows the input. */
export type Resume = { again: () => void; back: () => void }
/**
 * An error that stops the page. 'http' (a failed request) and 'client' (a failed worker or hub connection) show the numbered message of the
 * code, 'refusal' the texts of its own code, 'application' one of the friendly texts. Without `resume` the only way on is a new visit.
 */
export type Failure = { resume?: Resume } & (
  | { kind: 'http' | 'client' | 'application'; code: ErrorCode }
  | { kind: 'refusal'; code: Refusal }
)
/** Text key and values of a popup; the screen translates them. */
export type Popup = { id: number; text: ToastKey; values: Values }
export type ToastKey = Extract<TextKey, `toasts.${string}`>

export type ToastStore = ReturnType<typeof createToastStore>

/** Codes of failed requests without a valid response. Any other failed request has the status of its response. */
const transportCodes: ReadonlySet<ErrorCode> = new Set([
  'timeout',
  'network-error',
  'server-unreachable',
  'invalid-response',
])

/** Codes of failures of a worker or of the hub connection. */
const clientCodes: ReadonlySet<ErrorCode> = new Set(['worker-died', 'worker-error', 'hub-unavailable'])

/** Codes of refusals that a user can understand and that another attempt does not change. */
const isRefusal = isOneOf(['underage', 'blocked', 'email-missing', 'provider-refused', 'provider-unavailable'])
type Refusal = Checked<typeof isRefusal>

/** Codes that are not shown: an aborted request is no failure, and an ended login opens the sign-in page. */
const unseenCodes: ReadonlySet<ErrorCode> = new Set(['aborted', 'refresh-failed'])

function kindOf({ code, details }: AppError): 'http' | 'client' | 'application' {
  // `details.worker`: a worker did not respond in time, perhaps before any HTTP request.
  if (clientCodes.has(code) || details.worker === true) return 'client'
  return transportCodes.has(code) || details.status !== undefined ? 'http' : 'application'
}

function failureOf(error: AppError, resume: Resume | undefined): Failure {
  const { code } = error
  return isRefusal(code) ? { kind: 'refusal', code } : { kind: kindOf(error), code, ...(resume && { resume }) }
}

export function createToastStore(clock: Clock, log: Log) {
  const popup = signal<Popup | null>(null)
  const failure = signal<Failure | null>(null)
  const outdated = signal(false)
  let close = () => {}
  let count = 0
  return {
    popup: popup as ReadonlySignal<Popup | null>,
    failure: failure as ReadonlySignal<Failure | null>,
    /** True when the server no longer has files of this page, because it has a newer version. Only a reload helps. */
    outdated: outdated as ReadonlySignal<boolean>,
    tellOutdated(): void {
      outdated.value = true
    },
    /** Shows a bottom popup for 5 seconds; a newer popup replaces it. */
    show<Key extends ToastKey>(text: Key, ...[values]: ValuesFor<Key>): void {
      close()
      count += 1
      popup.value = { id: count, text, values: values ?? {} }
      close = clock.after(POPUP_MS, () => {
        popup.value = null
      })
    },
    dismiss(): void {
      close()
      popup.value = null
    },
    /** Logs the error and shows its error popup, unless an error popup is open already. */
    fail(thrown: unknown, where: string, resume?: Resume): void {
      const error = toAppError(thrown)
      if (error.code !== 'aborted') log.error(`${where}: ${error.code}`, error)
      if (!unseenCodes.has(error.code)) failure.value ??= failureOf(error, resume)
    },
    /** Closes the error popup, and continues as the user has chosen. */
    resume(how: keyof Resume): void {
      const chosen = failure.peek()?.resume?.[how]
      if (!chosen) return
      failure.value = null
      chosen()
    },
  }
}
