/**
 * An IP address as its limits and traces know it: some proxies write the client's port behind the address, and brackets around one of IPv6; a
 * socket of both families writes an IPv4 address as an IPv6 one. Any other text is returned in lower case.
 */
export function plainAddress(text: string): string {
  const [, inBrackets] = /^\[([\da-f:.%]{2,60})\](?::\d{1,5})?$/i.exec(text) ?? []
  const [, beforePort] = /^([\d.]{7,15}):\d{1,5}$/.exec(text) ?? []
  const address = (inBrackets ?? beforePort ?? text).toLowerCase()
  return address.replace(/^::ffff:(?=[\d.]+$)/, '')
}
