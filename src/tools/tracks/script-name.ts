const SCRIPT = /^\/(?:[^?#]*\/)?([\w.-]+\.(?:m?js|tsx?))(?:[?#]|$)/

/** Returns the file name of a script of this site. Null for another site's, and for what is not a file: an address may carry a token. */
export function scriptName(address: string, origin: string): string | null {
  if (!address.startsWith(`${origin}/`)) return null
  return SCRIPT.exec(address.slice(origin.length))?.[1] ?? null
}
