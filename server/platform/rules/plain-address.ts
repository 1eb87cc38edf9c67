/**
 * Returns an IP address in its plain form. Some proxies write the client's port after the address, and brackets around an IPv6 address; a
 * socket for IPv4 and IPv6 writes an IPv4 address in IPv6 form. Any other text is returned in lower case.
 */
export function plainAddress(text: string): string {
  const [, inBrackets] = /^\[([\da-f:.%]{2,60})\](?::\d{1,5})?$/i.exec(text) ?? []
  const [, beforePort] = /^([\d.]{7,15}):\d{1,5}$/.exec(text) ?? []
  const address = (inBrackets ?? beforePort ?? text).toLowerCase()
  return address.replace(/^::ffff:(?=[\d.]+$)/, '')
}
