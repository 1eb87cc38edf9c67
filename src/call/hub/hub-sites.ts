import type { HubSite } from '#protocol/page-config.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { nearestFirst } from '../rules/hub-route.ts'

const REQUEST_TIMEOUT_MS = 3_000
/** Shortest time between two measurements of the round trips. */
const FRESH_MS = 60_000

/** Measures the round trip in ms over an open connection. Rejects on a failed request and after REQUEST_TIMEOUT_MS. */
async function roundTripTo(origin: string): Promise<number> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  const request = async () => {
    const since = performance.now()
    const response = await fetch(`${origin}/healthz`, { cache: 'no-store', credentials: 'omit', signal })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return performance.now() - since
  }
  // The first request also takes the time of DNS, TCP and TLS, so it is not counted.
  await request()
  return Math.min(await request(), await request())
}

/** The sites of the hubs, one in each region. Without sites in the configuration, the page's host has the only hub. */
export type HubSites = ReturnType<typeof createHubSites>

type Options = { clock: Clock; log: Log; roundTrip?: (origin: string) => Promise<number> }

export function createHubSites(sites: readonly HubSite[], { clock, log, roundTrip = roundTripTo }: Options) {
  let roundTrips = new Map<string, number>()
  let measuredAt = Number.NEGATIVE_INFINITY

  async function measureAll(): Promise<void> {
    const measured = new Map<string, number>()
    await Promise.all(
      sites.map(async ({ region, origin }) => {
        try {
          measured.set(origin, await roundTrip(origin))
        } catch {
          log.info(`The hub of ${region} does not respond`)
        }
      }),
    )
    roundTrips = measured
    const [nearest] = nearestFirst(sites, roundTrips)
    if (nearest) log.info(`The nearest hub is that of ${nearest.region}`)
  }

  return {
    /** Measures the round trips to the regions. Never rejects. */
    async measure(): Promise<void> {
      if (sites.length < 2 || clock.now() - measuredAt < FRESH_MS) return
      measuredAt = clock.now()
      await measureAll()
    },

    /** Returns the origins of the hubs, nearest first. An empty string stands for the page's own origin. */
    order(): string[] {
      if (sites.length === 0) return ['']
      return nearestFirst(sites, roundTrips).map(({ origin }) => origin)
    },

    /** Marks a hub as unreachable: it comes last until the next measurement. */
    failed(origin: string): void {
      roundTrips.delete(origin)
      measuredAt = Number.NEGATIVE_INFINITY
    },
  }
}
