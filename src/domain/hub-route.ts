import type { HubSite } from '#protocol/page-config.ts'

/** Pure. Sorts by round trip in milliseconds, shortest first; sites without one come last, in the operator's order. */
export function nearestFirst(sites: readonly HubSite[], roundTrips: ReadonlyMap<string, number>): HubSite[] {
  const known = sites.filter(({ origin }) => roundTrips.has(origin))
  const unknown = sites.filter(({ origin }) => !roundTrips.has(origin))
  const msOf = ({ origin }: HubSite) => roundTrips.get(origin) ?? 0
  return [...known.sort((one, other) => msOf(one) - msOf(other)), ...unknown]
}

/** Iterates over the hubs' origins in a circle. The position stays until `moveOn`. */
export function createHubRoute(origins: readonly string[]) {
  let at = 0
  let tried = 0
  return {
    origin: () => origins[at] ?? '',
    /** Allows every origin to be tried again, after a connection or a new start. */
    refresh(): void {
      tried = 0
    },
    /** Moves to the next origin; returns false when each has been tried since `refresh`. */
    moveOn(): boolean {
      at = (at + 1) % origins.length
      tried += 1
      return tried < origins.length
    },
  }
}
