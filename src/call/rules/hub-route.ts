import type { HubSite } from '#protocol/page-config.ts'

/** Sorts by round trip in milliseconds; sites without one come last, in the operator's order. Pure. */
export function nearestFirst(sites: readonly HubSite[], roundTrips: ReadonlyMap<string, number>): HubSite[] {
  const known = sites.filter(({ origin }) => roundTrips.has(origin))
  const unknown = sites.filter(({ origin }) => !roundTrips.has(origin))
  const msOf = ({ origin }: HubSite) => roundTrips.get(origin) ?? 0
  return [...known.sort((one, other) => msOf(one) - msOf(other)), ...unknown]
}

/** The order in which a visit tries the hubs of several regions. `failed` counts those that failed since a hub was last there. */
export type HubRoute = { origins: readonly string[]; index: number; failed: number }

export function routeOver(origins: readonly string[]): HubRoute {
  return { origins, index: 0, failed: 0 }
}

/** The origin of the hub to connect to; an empty one is the page's own. */
export function originOf({ origins, index }: HubRoute): string {
  return origins[index] ?? ''
}

/** Lets each hub be tried again; the current one stays the first. */
export function refreshed(route: HubRoute): HubRoute {
  return { ...route, failed: 0 }
}

/** Goes on to the next hub, after the last one to the first. */
export function movedOn({ origins, index, failed }: HubRoute): HubRoute {
  return { origins, index: (index + 1) % origins.length, failed: failed + 1 }
}

/** Whether each hub has failed. */
export function isExhausted({ origins, failed }: HubRoute): boolean {
  return failed >= origins.length
}
