import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import type { TokenTools } from '../accounts/rules/tokens.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function sealingKey(key: string): Buffer {
  return createHmac('sha256', 'seal').update(key).digest()
}

export const tokenTools: TokenTools = {
  make: () => randomBytes(32).toString('base64url'),
  digest: (token) => sha256(token).toString('base64url'),
  seal(token, key) {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, sealingKey(key), nonce)
    const hidden = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url')
  },
  open(sealed, key) {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv(CIPHER, sealingKey(key), bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  },
}

/** A one-way function that needs `secret`; the answer is safe in a URL. */
export function keyedDigest(secret: string): (text: string) => string {
  return (text) => createHmac('sha256', secret).update(text).digest('base64url')
}
