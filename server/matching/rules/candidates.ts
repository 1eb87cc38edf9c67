import { parseAddress, subnetOf } from '../../platform/rules/subnet.ts'

/**
 * The network of a hub connection: `loopback`, `private`, or the IPv4 address or the /64 from which it comes. Empty where a server of an
 * earlier version has the connection.
 */
export type NetworkOfUser = string

const NETWORK = { ipv4: 32, ipv6: 64 }

type Scope = 'public' | 'private' | 'loopback' | 'never'

/** The names under which browsers hide their private addresses; they exist within one network only. */
const MDNS_NAME = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.local$/i
/**
 * A candidate as RFC 8839 writes it, over UDP. Browsers cannot connect to each other over TCP candidates, since none of them listens. None
 * signals a peer-reflexive one.
 */
const CANDIDATE =
  /^(?:a=)?candidate:\S{1,64} [12] udp \d{1,10} (?<address>\S{1,253}) \d{1,5} typ (?:host|srflx|relay)(?: [\x20-\x7e]*)?$/i
/** More than the exact name of the attribute: parsers of browsers differ in what they accept. */
const CANDIDATE_LINE = /^\s*a\s*=\s*candidate/i

function scopeOf(address: string): Scope {
  if (MDNS_NAME.test(address)) return 'private'
  // Undefined for other names, which the browser would resolve.
  switch (parseAddress(address)?.range()) {
    case 'unicast':
      return 'public'
    case 'loopback':
      return 'loopback'
    case 'private':
    case 'uniqueLocal':
    case 'linkLocal':
    case 'carrierGradeNat':
    case 'reserved':
      return 'private'
    default:
      return 'never'
  }
}

/** Returns the network of the user who connects from this address. */
export function networkOfUser(address: string): NetworkOfUser {
  const scope = scopeOf(address)
  return scope === 'loopback' || scope === 'private' ? scope : subnetOf(address, NETWORK)
}

const isLocal = (network: NetworkOfUser) => network === 'loopback' || network === 'private'

/**
 * Returns whether the candidate of a user in network `from` may be given to the browser of a user in network `to`, which will send packets
 * to its address. An empty candidate, which marks the end, may. `to` is null for a user who is away and whose network is not known: such a
 * user gets public addresses only.
 */
export function mayBeTried(candidate: string, from: NetworkOfUser, to: NetworkOfUser | null): boolean {
  if (candidate === '') return true
  const address = CANDIDATE.exec(candidate)?.groups?.address
  if (address === undefined) return false
  const scope = scopeOf(address)
  if (scope === 'never') return false
  if (to === null) return scope === 'public'
  if (from === '' || to === '') return true
  if (scope === 'loopback') return from === 'loopback' && to === 'loopback'
  if (from === to) return true
  return scope === 'private' ? isLocal(from) && isLocal(to) : subnetOf(address, NETWORK) !== to
}

/** Returns the description without the candidates for which `isAllowed` is false; the same text if it is true for all. */
export function withoutCandidates(sdp: string, isAllowed: (candidate: string) => boolean): string {
  const lines = sdp.split(/\r\n|\n|\r/)
  const kept = lines.filter((line) => !CANDIDATE_LINE.test(line) || isAllowed(line))
  return kept.length === lines.length ? sdp : kept.join('\r\n')
}
