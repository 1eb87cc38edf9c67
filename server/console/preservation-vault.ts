import { hkdfSync } from 'node:crypto'
import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import type { EvidenceKey } from '../config/secrets.ts'
import { openBytes, sealBytes } from '../platform/crypto.ts'
import { caseCopySchema, type PreservationVault } from './rules/preservation-ports.ts'

const KEY_BYTES = 32

const storedSchema = v.pipe(v.string(), v.parseJson(), caseCopySchema)

function keyOf({ id, secret }: EvidenceKey): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, id, 'preservation sealing', KEY_BYTES))
}

/** `keys` are ordered from the newest to the oldest. The first key encrypts; a copy is read with the key whose id it has. */
export function createPreservationVault(keys: readonly [EvidenceKey, ...EvidenceKey[]]): PreservationVault {
  const [{ id: keyId }] = keys
  const newest = keyOf(keys[0])
  const byId = new Map(keys.map((key) => [key.id, keyOf(key)]))
  return {
    base64Of: (bytes) => Buffer.from(bytes).toString('base64'),
    hexOf: (base64url) => Buffer.from(base64url, 'base64url').toString('hex'),
    seal: (id, copy) => ({ keyId, sealed: new Uint8Array(sealBytes(Buffer.from(JSON.stringify(copy)), newest, id)) }),

    open({ id, keyId: named, sealed }) {
      const key = byId.get(named)
      if (!key) return null
      try {
        return parse(storedSchema, openBytes(sealed, key, id).toString('utf8'))
      } catch {
        return null
      }
    },
  }
}
