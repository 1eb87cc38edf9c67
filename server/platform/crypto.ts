import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function sealingKey(key: string): Buffer {
  return createHmac('sha256', 'seal').update(key).digest()
}

/** Secret tokens: how they are made, stored as a digest, and sealed under a key. All texts are base64url. */
export const tokenTools = {
  make: (): string => randomBytes(32).toString('base64url'),
  digest: (token: string): string => sha256(token).toString('base64url'),
  seal(token: string, key: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, sealingKey(key), nonce)
    const hidden = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url')
  },
  /** Throws unless `sealed` was made with this key. */
  open(sealed: string, key: string): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv(CIPHER, sealingKey(key), bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  },
}

/** Returns a one-way function that depends on `secret`. Its results are safe in a URL. */
export function keyedDigest(secret: string): (text: string) => string {
  return (text) => createHmac('sha256', secret).update(text).digest('base64url')
}
