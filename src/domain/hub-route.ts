import type { HubSite } from '#protocol/page-config.ts'

/** Nearest first by their round trips in milliseconds; who has none comes last, in the operator's order. Pure. */
export function nearestFirst(sites: readonly HubSite[], roundTrips: ReadonlyMap<string, number>): HubSite[] {
  const known = sites.filter(({ origin }) => roundTrips.has(origin))
  const unknown = sites.filter(({ origin }) => !roundTrips.has(origin))
  const msOf = ({ origin }: HubSite) => roundTrips.get(origin) ?? 0
  return [...known.sort((one, other) => msOf(one) - msOf(other)), ...unknown]
}

/** The way of one visit through several hubs, from one to the next and around; it stays where the hub is there. */
export function createHubRoute(origins: readonly string[]) {
  let at = 0
  let tried = 0
  return {
    origin: () => origins[at] ?? '',
    /** The hub is there, or all is begun anew: each may be tried again. */
    refresh(): void {
      tried = 0
    },
    /** On to the next one; false when each has been tried since then. */
    moveOn(): boolean {
      at = (at + 1) % origins.length
      tried += 1
      return tried < origins.length
    },
  }
}
