import type { ServiceStatus } from '#protocol/service-status.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import { STATUS_RATE } from '../../platform/http/rate-limits.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Readiness, ServiceHealth } from '../rules/service-status.ts'

/** How long an answer is repeated: however many ask, the dependencies are asked no more often. */
const FRESH_MS = 5_000

type StatusHttp = {
  health: ServiceHealth
  clock: Clock
  /** Never rejects. */
  readiness: () => Promise<Readiness>
}

/** Says to everybody, in four words, what works. */
export function statusRoutes(endpoint: UserEndpoint, { health, clock, readiness }: StatusHttp): void {
  let last: { status: Promise<ServiceStatus>; at: number } | null = null

  async function read(): Promise<ServiceStatus> {
    return health.status(await readiness(), clock.now())
  }

  endpoint(
    'readServiceStatus',
    () => {
      const now = clock.now()
      if (!last || now - last.at >= FRESH_MS) last = { status: read(), at: now }
      return last.status
    },
    STATUS_RATE,
  )
}
