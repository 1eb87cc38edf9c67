/** True for a URL of the page's own origin, or below one of the URLs in `others`. */
export function mayBeCode(address: string, pageAddress: string, others: readonly string[]): boolean {
  if (!URL.canParse(address, pageAddress)) return false
  const { href, origin } = new URL(address, pageAddress)
  return origin === new URL(pageAddress).origin || others.some((other) => href.startsWith(other))
}
