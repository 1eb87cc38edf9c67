import { randomBytes, randomInt, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { PRODUCT_NAME } from '#protocol/constants.ts'
import { tokenTools } from './crypto.ts'
import type { ModeratorTools } from './domain/console-ports.ts'

/** 32 MB and about a tenth of a second a try. */
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const KEY_BYTES = 32
const SALT_BYTES = 16
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20
/** Nothing that is taken for something else when it is copied by hand. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const PASSWORD_GROUPS = 5
const GROUP_LETTERS = 5
const PERIOD_SECONDS = 30

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: PRODUCT_NAME, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })
}

/** Null where it was sealed with another key: the secret of the server was changed, and the account needs a reset. */
function unsealed(sealed: string, sealKey: string): string | null {
  try {
    return tokenTools.open(sealed, sealKey)
  } catch {
    return null
  }
}

/** `sealKey` seals the authenticators' secrets in the records: whoever has those alone can make no codes. */
export function createModeratorTools(sealKey: string): ModeratorTools {
  return {
    makePassword: () =>
      Array.from({ length: PASSWORD_GROUPS }, () =>
        Array.from({ length: GROUP_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
      ).join('-'),

    async hashPassword(password) {
      const salt = randomBytes(SALT_BYTES)
      return `${salt.toString('base64url')}.${(await derive(password, salt)).toString('base64url')}`
    },

    async checkPassword(password, hash) {
      const [salt = '', key = ''] = hash?.split('.') ?? []
      const wanted = Buffer.from(key, 'base64url')
      const given = await derive(password, Buffer.from(salt, 'base64url'))
      return wanted.length === given.length && timingSafeEqual(wanted, given)
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
  }
}
