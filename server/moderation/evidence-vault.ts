import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { EvidenceKey } from '../config/secrets.ts'
import { isSameSecret, openBytes, sealBytes } from '../platform/crypto.ts'
import type { EvidenceFacts, EvidenceVault, SealedEvidence } from './rules/evidence-ports.ts'

const KEY_BYTES = 32

type Keys = { sealing: Uint8Array; signing: Uint8Array }

function keysOf({ id, secret }: EvidenceKey): Keys {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, id, `evidence ${purpose}`, KEY_BYTES))
  return { sealing: derive('sealing'), signing: derive('signing') }
}

function factsOf(evidence: SealedEvidence): EvidenceFacts {
  const { keyId, signature, sealed, ...facts } = evidence
  return facts
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}

/**
 * Returns the text that is signed, a JSON list: different facts never give the same text. If `print` is null, the text
 * is as in earlier versions.
 */
function signedText(facts: EvidenceFacts): string {
  const { id, kind, uploader, subject, session, reporter, userSession, sha256, print, at } = facts
  const signed = [id, kind, uploader, subject, session, reporter, userSession, sha256, at]
  return JSON.stringify(print === null ? signed : [...signed, print])
}

/** `keys` are ordered from the newest to the oldest. The first key encrypts and signs; evidence is read with the key whose id it has. */
export function createEvidenceVault(keys: readonly [EvidenceKey, ...EvidenceKey[]]): EvidenceVault {
  const [{ id: newestId }] = keys
  const newestKeys = keysOf(keys[0])
  const byId = new Map(keys.map((key) => [key.id, keysOf(key)]))

  function sign({ signing }: Keys, facts: EvidenceFacts): string {
    return createHmac('sha256', signing).update(signedText(facts)).digest('base64url')
  }

  /** Returns the keys of evidence whose signature is valid; null for an invalid signature or an unknown key. */
  function keysOfIntact(evidence: SealedEvidence): Keys | null {
    const found = byId.get(evidence.keyId)
    if (!found) return null
    const expected = Buffer.from(sign(found, factsOf(evidence)))
    return isSameSecret(Buffer.from(evidence.signature), expected) ? found : null
  }

  return {
    seal(about, jpeg) {
      const facts = { ...about, sha256: sha256(jpeg) }
      const sealed = new Uint8Array(sealBytes(jpeg, newestKeys.sealing))
      return { ...facts, keyId: newestId, signature: sign(newestKeys, facts), sealed }
    },

    amend(evidence, change) {
      // Signs with the key that encrypted the picture, since one key id names both.
      const found = keysOfIntact(evidence)
      const changed = { ...evidence, ...change }
      return found && { ...changed, signature: sign(found, factsOf(changed)) }
    },

    open(evidence) {
      const found = keysOfIntact(evidence)
      if (!found) return null
      try {
        const jpeg = openBytes(evidence.sealed, found.sealing)
        return sha256(jpeg) === evidence.sha256 ? jpeg : null
      } catch {
        return null
      }
    },
  }
}
