import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { plainAddress } from '../rules/plain-address.ts'
import { parseAddress } from '../rules/subnet.ts'

/** Returns the key under which limits count a visitor: an IPv4 address, or the /64 network of an IPv6 address. */
export function addressKey(text: string): string {
  const address = parseAddress(text)
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? plainAddress(text)
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/** Returns a function that is true for addresses in these networks, such as `10.0.0.0/8, ::1`; false means no networks. */
export function inNetworks(networks: string | boolean): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of typeof networks === 'string' ? networks.split(',') : []) {
    const [address = '', bits] = entry.trim().split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

/** Returns the client's address of a request outside the framework: the last address that is not of a proxy. */
export function clientAddress(request: IncomingMessage, isProxy: (address: string) => boolean): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
  const hops = forwarded.split(',').map((hop) => hop.trim())
  let address = request.socket.remoteAddress ?? ''
  while (isProxy(address)) {
    const hop = hops.pop()
    if (!hop) break
    address = hop
  }
  return address
}
