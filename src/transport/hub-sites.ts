import type { HubSite } from '#protocol/page-config.ts'
import { nearestFirst } from '../domain/hub-route.ts'
import type { Clock, Log } from '../domain/ports.ts'

const ASK_MS = 3_000
/** Whoever comes back to the dashboard earlier is as near as before. */
const FRESH_MS = 60_000

/** Milliseconds of a round trip over a connection that is open; rejects when nobody answers in time. */
async function roundTripTo(origin: string): Promise<number> {
  const signal = AbortSignal.timeout(ASK_MS)
  const ask = async () => {
    const since = performance.now()
    const response = await fetch(`${origin}/healthz`, { cache: 'no-store', credentials: 'omit', signal })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return performance.now() - since
  }
  // The first one pays for name, connection and TLS.
  await ask()
  return Math.min(await ask(), await ask())
}

/** Where hubs are, one a region. Without any in the configuration the page's own host has the only one. */
export type HubSites = ReturnType<typeof createHubSites>

type Options = { clock: Clock; log: Log; roundTrip?: (origin: string) => Promise<number> }

export function createHubSites(sites: readonly HubSite[], { clock, log, roundTrip = roundTripTo }: Options) {
  let roundTrips = new Map<string, number>()
  let lookedAt = Number.NEGATIVE_INFINITY

  async function measure(): Promise<void> {
    const measured = new Map<string, number>()
    await Promise.all(
      sites.map(async ({ region, origin }) => {
        try {
          measured.set(origin, await roundTrip(origin))
        } catch {
          log.info(`The hub of ${region} does not answer`)
        }
      }),
    )
    roundTrips = measured
    const [nearest] = nearestFirst(sites, roundTrips)
    if (nearest) log.info(`The nearest hub is that of ${nearest.region}`)
  }

  return {
    /** Finds out, ahead of need, how far the regions are. Never rejects. */
    async look(): Promise<void> {
      if (sites.length < 2 || clock.now() - lookedAt < FRESH_MS) return
      lookedAt = clock.now()
      await measure()
    },

    /** Origins of hubs, the one to go to first; an empty one is the page's own. */
    order(): string[] {
      if (sites.length === 0) return ['']
      return nearestFirst(sites, roundTrips).map(({ origin }) => origin)
    },

    /** The hub there could not be reached: it comes last until somebody looks again. */
    failed(origin: string): void {
      roundTrips.delete(origin)
      lookedAt = Number.NEGATIVE_INFINITY
    },
  }
}
