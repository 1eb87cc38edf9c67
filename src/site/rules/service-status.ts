import { MINUTE_MS } from '#protocol/durations.ts'
import type { ErrorCode } from '#protocol/errors.ts'
import type { ServicePart, ServiceStatus } from '#protocol/service-status.ts'

/** In the order of a visit. */
export const serviceParts = ['signIn', 'matching', 'calls', 'pictures'] as const satisfies readonly ServicePart[]

/** What a page knows of the service; times by this device's clock. */
export type SeenStatus =
  | { what: 'reading' | 'offline' }
  | { what: 'read'; status: ServiceStatus; at: number }
  /** The service does not answer. */
  | { what: 'unreachable'; since: number }

/** Age above which an answer is not shown again after a pause. */
const OLD_MS = MINUTE_MS

/** Returns what is known when asking begins again after a pause, before there is an answer. */
export function afterPause(before: SeenStatus, now: number): SeenStatus {
  const isOld = before.what === 'read' && now - before.at > OLD_MS
  return isOld || before.what === 'offline' ? { what: 'reading' } : before
}

/** Returns what is known after a request that failed. */
export function afterFailure(before: SeenStatus, code: ErrorCode, now: number): SeenStatus {
  // The service answers, so what was known holds.
  if (code === 'too-many-requests') return before
  return { what: 'unreachable', since: before.what === 'unreachable' ? before.since : now }
}

/** `part-down`: a part does not work at all. `all-down`: nothing works. */
export type Summary = 'works' | 'trouble' | 'part-down' | 'all-down'

export function summaryOf(status: ServiceStatus): Summary {
  const states = serviceParts.map((part) => status[part].state)
  if (states.every((state) => state === 'down')) return 'all-down'
  if (states.includes('down')) return 'part-down'
  return states.includes('trouble') ? 'trouble' : 'works'
}
