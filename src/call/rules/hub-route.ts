import type { HubSite } from '#protocol/page-config.ts'

/** Pure. Sorts the sites by round trip in ms. Sites without a round trip come last, in the operator's order. */
export function nearestFirst(sites: readonly HubSite[], roundTrips: ReadonlyMap<string, number>): HubSite[] {
  const known = sites.filter(({ origin }) => roundTrips.has(origin))
  const unknown = sites.filter(({ origin }) => !roundTrips.has(origin))
  const msOf = ({ origin }: HubSite) => roundTrips.get(origin) ?? 0
  return [...known.sort((one, other) => msOf(one) - msOf(other)), ...unknown]
}

/** The order in which a visit tries the hubs of several regions. `failed`: hubs in a row that have failed since one was last connected. */
export type HubRoute = { origins: readonly string[]; index: number; failed: number }

export function routeOver(origins: readonly string[]): HubRoute {
  return { origins, index: 0, failed: 0 }
}

/** Returns the origin of the hub to connect to. An empty string stands for the page's own origin. */
export function originOf({ origins, index }: HubRoute): string {
  return origins[index] ?? ''
}

/** Allows every hub to be tried again, beginning with the current one. */
export function refreshed(route: HubRoute): HubRoute {
  return { ...route, failed: 0 }
}

/** Moves on to the next hub. After the last hub follows the first. */
export function movedOn({ origins, index, failed }: HubRoute): HubRoute {
  return { origins, index: (index + 1) % origins.length, failed: failed + 1 }
}

/** Whether all hubs have failed. */
export function isExhausted({ origins, failed }: HubRoute): boolean {
  return failed >= origins.length
}
