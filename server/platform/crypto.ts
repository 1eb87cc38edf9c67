import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function sealingKey(key: string): Buffer {
  return createHmac('sha256', 'seal').update(key).digest()
}

/**
 * Encrypts with AES-256-GCM; returns nonce, tag and ciphertext. `key` has 32 bytes. `context` is authenticated and not
 * stored: `openBytes` needs the same `context`.
 */
export function sealBytes(bytes: Uint8Array, key: Uint8Array, context = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  cipher.setAAD(Buffer.from(context))
  const hidden = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
}

/** Throws unless `sealed` was made by `sealBytes` with this key and context. */
export function openBytes(sealed: Uint8Array, key: Uint8Array, context = ''): Buffer {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

/** Returns a reference number, by which people name a record: twelve random hexadecimal digits. */
export function newReference(): string {
  return randomBytes(6).toString('hex').toUpperCase()
}

/** Makes secret tokens, digests them for storage, and seals them with a key. All texts are base64url. */
export const tokenTools = {
  make: (): string => randomBytes(32).toString('base64url'),
  digest: (token: string): string => sha256(token).toString('base64url'),
  seal(token: string, key: string): string {
    return sealBytes(Buffer.from(token), sealingKey(key)).toString('base64url')
  },
  /** Throws unless `sealed` was made with this key. */
  open(sealed: string, key: string): string {
    return openBytes(Buffer.from(sealed, 'base64url'), sealingKey(key)).toString('utf8')
  },
}

/** Returns a one-way function that depends on `secret`. Its results are safe in a URL. */
export function keyedDigest(secret: string): (text: string) => string {
  return (text) => createHmac('sha256', secret).update(text).digest('base64url')
}

/** Compares secrets in a time that does not depend on where they differ. */
export function isSameSecret(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
