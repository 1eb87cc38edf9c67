import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EvidenceFacts } from '../../../../server/moderation/rules/evidence-ports.ts'
import { AGREEING_BITS, agreementOf, comparePrints } from '../../../../server/moderation/rules/picture-agreement.ts'
import { HASH_SIDE, hashDistance, perceptualHash } from '../../../../server/platform/rules/perceptual-hash.ts'

/** Hexadecimal digits of a hash. */
/** The lowest ten frequencies in each direction, without the mean brightness. */
const HASH_BITS = 99
const DIGITS = Math.ceil(HASH_BITS / 4)
const square = fc.uint8Array({ minLength: HASH_SIDE ** 2, maxLength: HASH_SIDE ** 2 })
const hash = fc
  .bigInt({ min: 0n, max: (1n << BigInt(HASH_BITS)) - 1n })
  .map((bits) => bits.toString(16).padStart(DIGITS, '0'))

test('a hash has a digit for four bits, of which at most half are set', () => {
  fc.assert(
    fc.property(square, (grey) => {
      const print = perceptualHash(grey)
      fc.pre(print !== null)
      expect(print).toMatch(/^[0-9a-f]{25}$/)
      const set = hashDistance(print ?? '', '0'.repeat(DIGITS))
      expect(set).toBeLessThanOrEqual((HASH_BITS - 1) / 2)
    }),
  )
})

test('more light and more contrast leave the hash as it was', () => {
  const dark = square.map((grey) => grey.map((value) => Math.floor(value / 4)))
  fc.assert(
    fc.property(dark, fc.integer({ min: 0, max: 64 }), fc.constantFrom(1, 2, 3), (grey, more, times) => {
      const brighter = grey.map((value) => value * times + more)
      const [one, other] = [perceptualHash(grey), perceptualHash(brighter)]
      fc.pre(one !== null && other !== null)
      // Coefficients that are equal but for rounding may change places at the median.
      expect(hashDistance(one ?? '', other ?? '')).toBeLessThanOrEqual(2)
    }),
  )
})

test('a picture of one brightness has no hash', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 250 }), fc.array(fc.nat(5), { minLength: 1 }), (light, noise) => {
      const grey = Uint8Array.from({ length: HASH_SIDE ** 2 }, (_, at) => light + (noise[at % noise.length] ?? 0))
      expect(perceptualHash(grey)).toBeNull()
    }),
  )
})

test('pictures agree up to the threshold, in either order', () => {
  fc.assert(
    fc.property(hash, fc.uniqueArray(fc.nat(HASH_BITS - 1)), (one, flipped) => {
      const mask = flipped.reduce((bits, at) => bits | (1n << BigInt(at)), 0n)
      const other = (BigInt(`0x${one}`) ^ mask).toString(16).padStart(DIGITS, '0')
      const expected = flipped.length <= AGREEING_BITS ? 'agree' : 'disagree'
      expect([comparePrints(one, other), comparePrints(other, one)]).toEqual([expected, expected])
    }),
  )
  expect(comparePrints('0'.repeat(DIGITS), 'f'.repeat(DIGITS))).toBe('disagree')
})

const facts = (change: Partial<EvidenceFacts>): EvidenceFacts => ({
  id: 'e',
  kind: 'reporters-view',
  uploader: 'ada',
  subject: 'bob',
  session: 'm1',
  reporter: 'ada',
  userSession: 's',
  sha256: 'x',
  print: '0'.repeat(DIGITS),
  at: 1,
  ...change,
})

test.each([
  ['agree', [facts({}), facts({ kind: 'own-camera' })]],
  ['disagree', [facts({}), facts({ kind: 'own-camera', print: 'f'.repeat(DIGITS) })]],
  ['unknown', [facts({})]],
  ['unknown', [facts({ kind: 'own-camera' })]],
  ['unknown', [facts({}), facts({ kind: 'own-camera', print: null })]],
  ['unknown', [facts({}), facts({ kind: 'own-camera', session: 'm2' })]],
  ['unknown', [facts({}), facts({ kind: 'own-camera', reporter: 'eve' })]],
  ['unknown', [facts({}), facts({ kind: 'flagged' })]],
  ['unknown', []],
] as const)('a report is %s by its own two pictures alone', (expected, pictures) => {
  expect(agreementOf(pictures, { session: 'm1', reporter: 'ada' })).toBe(expected)
})
