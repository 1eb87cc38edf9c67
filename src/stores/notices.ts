import { type ReadonlySignal, signal } from '@preact/signals-react'
import { type ErrorCode, toAppError } from '#protocol/errors.ts'
import type { Clock, Log } from '../domain/ports.ts'

const POPUP_MS = 5_000

/** A fault that stops the page: 'http' shows the numbered message of its code, 'application' one of the friendly texts. */
export type Failure = { kind: 'http' | 'application'; code: ErrorCode }
export type Popup = { id: number; text: string }

export type NoticeStore = ReturnType<typeof createNoticeStore>

/** Codes that come from a call of the API; everything else is a fault of the application. */
const httpCodes: ReadonlySet<ErrorCode> = new Set([
  'timeout',
  'network-error',
  'server-unreachable',
  'invalid-response',
  'http-error',
  'unavailable',
  'too-many-requests',
  'bad-request',
  'not-found',
])

export function createNoticeStore(clock: Clock, log: Log) {
  const popup = signal<Popup | null>(null)
  const failure = signal<Failure | null>(null)
  let close = () => {}
  let count = 0
  return {
    popup: popup as ReadonlySignal<Popup | null>,
    failure: failure as ReadonlySignal<Failure | null>,
    /** Shows a bottom popup for 5 seconds; a newer one takes its place. */
    say(text: string): void {
      close()
      count += 1
      popup.value = { id: count, text }
      close = clock.after(POPUP_MS, () => {
        popup.value = null
      })
    },
    dismiss(): void {
      close()
      popup.value = null
    },
    /**
     * Shows the error popup that suits the fault, and logs it. One at a time: the first stays. A login that is over shows
     * none: the visitor is led to the sign-in page.
     */
    fail(thrown: unknown, where: string): void {
      const error = toAppError(thrown)
      log.error(`${where}: ${error.code}`, error)
      if (error.code === 'refresh-failed') return
      failure.value ??= { kind: httpCodes.has(error.code) ? 'http' : 'application', code: error.code }
    },
  }
}
