/** True for a URL with the page's own origin, and for one below a URL in `others`. */
export function mayBeCode(address: string, pageAddress: string, others: readonly string[]): boolean {
  try {
    const { href, origin } = new URL(address, pageAddress)
    return origin === new URL(pageAddress).origin || others.some((other) => href.startsWith(other))
  } catch {
    // The text is no URL. `URL.canParse` exists in Chrome only since 120.
    return false
  }
}
