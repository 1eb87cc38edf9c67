import type { ServiceStatus } from '#protocol/service-status.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import { STATUS_RATE } from '../../platform/http/rate-limits.ts'

/** Says to everybody, in words, what works. */
export function statusRoutes(endpoint: UserEndpoint, status: () => Promise<ServiceStatus>): void {
  endpoint('readServiceStatus', status, STATUS_RATE)
}
