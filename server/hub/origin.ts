import type { IncomingMessage } from 'node:http'
import { deviceKind } from '../matching/rules/device-kind.ts'
import type { Origin } from '../matching/rules/trust.ts'
import { addressPrefix } from '../moderation/rules/risk.ts'
import { keyedDigest } from '../platform/crypto.ts'

/** Characters of base64: 96 bits, so that no two networks share a digest by chance. */
const DIGEST_LENGTH = 16

/**
 * Returns a function that tells where a request comes from, as digests under a key of this deployment: they go from server to server, and
 * nothing else of an address does. It returns null for a private address.
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
