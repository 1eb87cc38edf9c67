import { MINUTE_MS } from '#protocol/durations.ts'
import type { ErrorCode } from '#protocol/errors.ts'
import type { ServicePart, ServiceStatus } from '#protocol/service-status.ts'

/** The parts of the service, in the order in which a visit uses them. */
export const serviceParts = ['signIn', 'matching', 'calls', 'pictures'] as const satisfies readonly ServicePart[]

/** What the page knows about the service. Times are by this device's clock. */
export type SeenStatus =
  | { what: 'reading' | 'offline' }
  | { what: 'read'; status: ServiceStatus; at: number }
  /** The service does not respond. */
  | { what: 'unreachable'; since: number }

/** Age above which a response is not shown again after a pause. */
const OLD_MS = MINUTE_MS

/** Returns what to show when requests begin again after a pause, until there is a response. */
export function afterPause(before: SeenStatus, now: number): SeenStatus {
  const isOld = before.what === 'read' && now - before.at > OLD_MS
  return isOld || before.what === 'offline' ? { what: 'reading' } : before
}

/** Returns what to show after a failed request. */
export function afterFailure(before: SeenStatus, code: ErrorCode, now: number): SeenStatus {
  // The service has responded, so the last known status still applies.
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
