const OWN_SCRIPT = /\/([\w.-]+\.(?:m?js|tsx?))$/

/** Returns the file name of a script of this site. Null for another site's, and for what is not a file: an address may carry a token. */
export function scriptName(address: string, origin: string): string | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  return url.origin === origin ? (OWN_SCRIPT.exec(url.pathname)?.[1] ?? null) : null
}
