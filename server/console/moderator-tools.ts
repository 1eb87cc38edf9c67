import { randomBytes, randomInt, scrypt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { PRODUCT_NAME } from '#protocol/constants.ts'
import { isSameSecret, keyedDigest, tokenTools } from '../platform/crypto.ts'
import type { ModeratorTools } from './rules/ports.ts'

type Cost = { N: number; r: number; p: number }

/** One of the settings that OWASP recommends for scrypt: 64 MB and about a third of a second for each check. */
const COST: Cost = { N: 2 ** 16, r: 8, p: 2 }
/** Prefix of a hash of this cost. A hash without it has FIRST_COST. */
const COST_PREFIX = 'ln=16,r=8,p=2'
const FIRST_COST: Cost = { N: 2 ** 15, r: 8, p: 1 }
/** Cost that is added to the check of a FIRST_COST hash, so that this check takes as long as one at COST. */
const PADDING_COST: Cost = { N: 2 ** 15, r: 8, p: 3 }
const KEY_BYTES = 32
const SALT_BYTES = 16
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20
/** Characters that people do not mistake for each other when they copy a password by hand. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const PASSWORD_GROUPS = 5
const GROUP_LETTERS = 5
const PERIOD_SECONDS = 30

export type DeriveKey = (password: string, salt: Buffer, cost: Cost) => Promise<Buffer>

export const deriveKey: DeriveKey = (password, salt, cost) => {
  const options = { ...cost, maxmem: 2 * 128 * cost.N * cost.r }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

const isOutdated = (hash: string) => !hash.startsWith(`${COST_PREFIX}.`)

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: PRODUCT_NAME, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })
}

/** Returns null if `sealKey`, which is JWT_SECRET, has changed since the secret was sealed: the account then needs a reset. */
function unsealed(sealed: string, sealKey: string): string | null {
  try {
    return tokenTools.open(sealed, sealKey)
  } catch {
    return null
  }
}

/** `sealKey` encrypts the authenticators' secrets, so that the database alone is not enough to compute codes. */
export function createModeratorTools(sealKey: string, derive = deriveKey): ModeratorTools {
  const sign = keyedDigest(`signatures of ${sealKey}`)
  return {
    makePassword: () =>
      Array.from({ length: PASSWORD_GROUPS }, () =>
        Array.from({ length: GROUP_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
      ).join('-'),

    async hashPassword(password) {
      const salt = randomBytes(SALT_BYTES)
      const key = await derive(password, salt, COST)
      return [COST_PREFIX, salt.toString('base64url'), key.toString('base64url')].join('.')
    },

    isOutdated,

    async checkPassword(password, hash) {
      const isFirstCost = hash !== null && isOutdated(hash)
      const [key = '', salt = ''] = hash?.split('.').reverse() ?? []
      const given = await derive(password, Buffer.from(salt, 'base64url'), isFirstCost ? FIRST_COST : COST)
      if (isFirstCost) await derive(password, Buffer.from(salt, 'base64url'), PADDING_COST)
      return isSameSecret(given, Buffer.from(key, 'base64url'))
    },

    makeTotp(name) {
      const secret = new Secret({ size: SECRET_BYTES }).base32
      return { secret, sealed: tokenTools.seal(secret, sealKey), uri: totpOf(secret, name).toString() }
    },

    stepOf(sealed, code, at) {
      const secret = unsealed(sealed, sealKey)
      if (secret === null) return null
      const totp = totpOf(secret, '')
      const delta = totp.validate({ token: code, timestamp: at, window: 1 })
      return delta === null ? null : totp.counter({ timestamp: at }) + delta
    },

    makeToken: tokenTools.make,
    digest: tokenTools.digest,
    sign,
    isSigned: (text, signature) => isSameSecret(Buffer.from(sign(text)), Buffer.from(signature)),
  }
}
