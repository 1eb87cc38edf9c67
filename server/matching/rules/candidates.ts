import { parseAddress, subnetOf } from '../../platform/rules/subnet.ts'

/** `loopback`, `private`, an IPv4 address or an IPv6 /64; empty for a connection to a server of an earlier version. */
export type NetworkOfUser = string

const NETWORK = { ipv4: 32, ipv6: 64 }

type Scope = 'public' | 'private' | 'loopback' | 'never'

/** Names under which browsers hide their private addresses; such a name can be resolved only within one network. */
const MDNS_NAME = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.local$/i
/** A UDP candidate of RFC 8839. No browser listens for TCP or signals a peer-reflexive candidate. */
const CANDIDATE =
  /^(?:a=)?candidate:\S{1,64} [12] udp \d{1,10} (?<address>\S{1,253}) \d{1,5} typ (?:host|srflx|relay)(?: [\x20-\x7e]*)?$/i
/** Matches more than the exact name of the attribute, since the parsers of browsers differ in what they accept. */
const CANDIDATE_LINE = /^\s*a\s*=\s*candidate/i

function scopeOf(address: string): Scope {
  if (MDNS_NAME.test(address)) return 'private'
  // Any other host name has no range and is never sent: the browser would resolve it.
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
 * Returns whether the browser of a user in network `to` may get this candidate of a user in network `from`. A browser
 * sends packets to the addresses of candidates. An empty candidate marks the end and may be sent. With `to` null, for
 * an unknown network, only public addresses may be sent.
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
