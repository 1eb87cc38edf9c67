/** True for a URL of the page's own origin, or below one of the URLs in `others`. */
export function mayBeCode(address: string, pageAddress: string, others: readonly string[]): boolean {
  try {
    const { href, origin } = new URL(address, pageAddress)
    return origin === new URL(pageAddress).origin || others.some((other) => href.startsWith(other))
  } catch {
    // No URL. Chrome has URL.canParse since 120 only.
    return false
  }
}
