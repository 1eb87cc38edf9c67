import type { IncomingMessage } from 'node:http'
import type { Origin } from '../matching/rules/trust.ts'
import { keyedDigest } from '../platform/crypto.ts'
import { addressPrefix } from '../platform/rules/subnet.ts'

const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Macintosh', 'CrOS', 'Linux'] as const
/** In the order of the check: most browsers also name Chrome and Safari. */
const BROWSERS = [
  'HeadlessChrome',
  'SamsungBrowser',
  'Edg',
  'OPR',
  'Firefox',
  'FxiOS',
  'CriOS',
  'Chrome',
  'Safari',
] as const

/** Returns the kind of device that a User-Agent header names, such as `Android Chrome`. A client may lie. */
function deviceKind(userAgent: string): string {
  const named = (names: readonly string[]) => names.find((name) => userAgent.includes(name)) ?? 'other'
  return `${named(SYSTEMS)} ${named(BROWSERS)}`
}

/** Characters of base64: 96 bits, so that no two networks share a digest by chance. */
const DIGEST_LENGTH = 16

/**
 * Returns a function that returns the origin of a request; null for a private address. The digests have a key of this
 * deployment, so that servers exchange no addresses.
 */
export function createOriginOf(secret: string, addressOf: (request: IncomingMessage) => string) {
  const digest = keyedDigest(keyedDigest(secret)('origins'))
  const digestOf = (...parts: string[]) => digest(JSON.stringify(parts)).slice(0, DIGEST_LENGTH)

  return (request: IncomingMessage): Origin | null => {
    const network = addressPrefix(addressOf(request))
    if (network === null) return null
    const device = deviceKind(request.headers['user-agent'] ?? '')
    return { network: digestOf(network), device: digestOf(network, device) }
  }
}
