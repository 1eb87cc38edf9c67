import { type ReadonlySignal, signal } from '@preact/signals-react'
import { type AppError, type ErrorCode, toAppError } from '#protocol/errors.ts'
import type { Clock, Log } from '../domain/ports.ts'
import type { TextKey } from '../texts/catalogue.ts'
import type { Values } from '../texts/messages.ts'
import type { ValuesFor } from './texts.ts'

const POPUP_MS = 5_000

/** A fault that stops the page: 'http' shows the numbered message of its code, 'application' one of the friendly texts. */
export type Failure = { kind: 'http' | 'application'; code: ErrorCode }
/** The screen looks the sentence up, in the language of the moment. */
export type Popup = { id: number; text: NoticeKey; values: Values }
export type NoticeKey = Extract<TextKey, `notices.${string}`>

export type NoticeStore = ReturnType<typeof createNoticeStore>

/** Where no answer came from the API, or none that can be read; any other failure of a call has the status of its answer. */
const transportCodes: ReadonlySet<ErrorCode> = new Set([
  'timeout',
  'network-error',
  'server-unreachable',
  'invalid-response',
])

/** Nobody waits for an aborted call any more, and a login that is over leads to the sign-in page: neither is a fault. */
const unseenCodes: ReadonlySet<ErrorCode> = new Set(['aborted', 'refresh-failed'])

function kindOf({ code, details }: AppError): Failure['kind'] {
  return transportCodes.has(code) || details.status !== undefined ? 'http' : 'application'
}

export function createNoticeStore(clock: Clock, log: Log) {
  const popup = signal<Popup | null>(null)
  const failure = signal<Failure | null>(null)
  let close = () => {}
  let count = 0
  return {
    popup: popup as ReadonlySignal<Popup | null>,
    failure: failure as ReadonlySignal<Failure | null>,
    /** Shows a bottom popup for 5 seconds; a newer one takes its place. */
    say<Key extends NoticeKey>(text: Key, ...[values]: ValuesFor<Key>): void {
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
    /** Shows the error popup that suits the fault, and logs it. One at a time, however many calls fail: the first stays. */
    fail(thrown: unknown, where: string): void {
      const error = toAppError(thrown)
      if (error.code !== 'aborted') log.error(`${where}: ${error.code}`, error)
      if (!unseenCodes.has(error.code)) failure.value ??= { kind: kindOf(error), code: error.code }
    },
  }
}
