import { median } from './median.ts'

/** A perceptual hash: two pictures of one scene have hashes that differ in few bits, whatever their size, codec and quality. */

/** Pixels a side of the grey square that is hashed. */
export const HASH_SIDE = 32
/** Lowest frequencies in each direction, which make 99 bits. With 16, a moving head changes as many bits as a new scene. */
const FREQUENCIES = 10
/** Contrast, of 255, below which the hash of a picture would be noise, as with a covered camera. */
const CONTRAST_MIN = 4

/** `cosines[k][n]` of the discrete cosine transform. */
const cosines = Array.from({ length: FREQUENCIES }, (_, k) =>
  Array.from({ length: HASH_SIDE }, (_, n) => Math.cos((Math.PI * (2 * n + 1) * k) / (2 * HASH_SIDE))),
)

function contrastOf(grey: Uint8Array): number {
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length
  return Math.sqrt(grey.reduce((sum, value) => sum + (value - mean) ** 2, 0) / grey.length)
}

/** Returns the coefficients of the lowest frequencies, row by row, without the first, which is the mean. */
function frequenciesOf(grey: Uint8Array): number[] {
  const sumOf = (one: readonly number[], value: (n: number) => number) =>
    one.reduce((sum, cosine, n) => sum + cosine * value(n), 0)
  const rows = Array.from({ length: HASH_SIDE }, (_, y) =>
    cosines.map((cosine) => sumOf(cosine, (x) => grey[y * HASH_SIDE + x] ?? 0)),
  )
  return cosines.flatMap((cosine) => cosines.map((_, u) => sumOf(cosine, (y) => rows[y]?.[u] ?? 0))).slice(1)
}

/**
 * Returns the hash of a square of HASH_SIDE grey pixels in hexadecimal: a bit for each of the lowest frequencies, 1 if its coefficient is
 * above the median. Null for a picture of nearly one brightness.
 */
export function perceptualHash(grey: Uint8Array): string | null {
  if (contrastOf(grey) < CONTRAST_MIN) return null
  const frequencies = frequenciesOf(grey)
  const middle = median(frequencies) ?? 0
  const bits = `0${frequencies.map((value) => (value > middle ? '1' : '0')).join('')}`
  return (bits.match(/.{4}/g) ?? []).map((four) => Number.parseInt(four, 2).toString(16)).join('')
}

/** Returns the number of bits in which two hashes differ. */
export function hashDistance(one: string, other: string): number {
  let differing = BigInt(`0x${one}`) ^ BigInt(`0x${other}`)
  let count = 0
  for (; differing > 0n; differing &= differing - 1n) count += 1
  return count
}
