import ipaddr from 'ipaddr.js'
import { plainAddress } from './plain-address.ts'

type Bits = { ipv4: number; ipv6: number }

/**
 * Returns an address as an object of ipaddr.js; null for other text. An IPv4 address in IPv6 form is returned as IPv4.
 * Stricter than ipaddr.js, which also reads 127.1 and octal numbers.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const address = plainAddress(text).split('%', 1)[0] ?? ''
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address)
  return ipaddr.IPv6.isValid(address) ? ipaddr.process(address) : null
}

/** Returns the network with this many bits that contains the address, such as `192.0.2.0/24`; other text unchanged. */
export function subnetOf(text: string, bits: Bits): string {
  const address = parseAddress(text)
  if (!address) return text
  const length = bits[address.kind()]
  const subnet = `${address.toString()}/${length}`
  const network = (address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(subnet)
  return `${network.toString()}/${length}`
}

const PRIVATE_V4 = /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./

/** Returns the network of a public address, /24 for IPv4 and /48 for IPv6; null for a private or malformed address. */
export function addressPrefix(text: string): string | null {
  const address = parseAddress(text)
  const normal = address?.toNormalizedString() ?? ''
  if (address?.kind() === 'ipv4')
    return PRIVATE_V4.test(normal) ? null : `${normal.split('.').slice(0, 3).join('.')}.0/24`
  // Public IPv6 addresses are all in 2000::/3. Stored digests need the groups written out: 2a00:0:0::/48.
  return /^[23][\da-f]{3}:/.test(normal) ? `${normal.split(':').slice(0, 3).join(':')}::/48` : null
}
