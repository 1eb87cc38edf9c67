import type { IceServers } from '../../platform/rules/ice-servers.ts'

/** The transports over which a relay can be reached. */
export const relayWays = ['udp', 'tcp', 'tls'] as const
export type RelayWay = (typeof relayWays)[number]

/** `unoffered`: the service has no relay with this transport. */
export type WayState = 'checking' | 'open' | 'closed' | 'unoffered'
export type WayStates = Readonly<Record<RelayWay, WayState>>

/** `unread`: the addresses of the relay could not be loaded. */
export type NetworkFinding = 'checking' | 'well' | 'no-udp' | 'no-relay-reached' | 'direct-only' | 'unread'

export type DeviceStrength = { cores: number; memoryGb: number | null }

const FEW_CORES = 2
const LITTLE_MEMORY_GB = 2

function wayOf(url: string): RelayWay {
  const isOverTcp = /transport=tcp/i.test(url)
  if (url.startsWith('turns:')) return 'tls'
  return isOverTcp ? 'tcp' : 'udp'
}

/** Returns the relays among `servers` that use this transport; empty if there are none. */
export function relaysBy(servers: IceServers, way: RelayWay): IceServers {
  return servers
    .filter(({ username }) => username !== undefined)
    .map((server) => ({ ...server, urls: server.urls.filter((url) => wayOf(url) === way) }))
    .filter(({ urls }) => urls.length > 0)
}

/** Pure. Returns what the states of all transports together say about the network. */
export function networkFinding(ways: WayStates): NetworkFinding {
  const states = relayWays.map((way) => ways[way])
  if (states.includes('checking')) return 'checking'
  if (states.every((state) => state === 'unoffered')) return 'direct-only'
  if (!states.includes('open')) return 'no-relay-reached'
  return ways.udp === 'closed' ? 'no-udp' : 'well'
}

/** Returns whether the device may be too slow for the best picture. */
export function isWeakDevice({ cores, memoryGb }: DeviceStrength): boolean {
  return cores <= FEW_CORES || (memoryGb !== null && memoryGb <= LITTLE_MEMORY_GB)
}
