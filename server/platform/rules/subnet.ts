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
