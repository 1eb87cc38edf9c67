import { createHash } from 'node:crypto'
import type { Row, Value } from './tables.ts'

const LIMIT = 2n ** 256n

/** Each kind of value has a letter of its own, and its length, so that no two rows have the same bytes. */
function bytesOf(value: Value): [string, Uint8Array] {
  if (value === null) return ['n', Buffer.alloc(0)]
  if (typeof value === 'string') return ['t', Buffer.from(value)]
  if (typeof value === 'number') return ['r', Buffer.from(String(value))]
  return ['b', value]
}

function digestOf(row: Row): bigint {
  const hash = createHash('sha256')
  for (const value of row) {
    const [kind, bytes] = bytesOf(value)
    hash.update(`${kind}${bytes.length}:`).update(bytes)
  }
  return BigInt(`0x${hash.digest('hex')}`)
}

/** The number of rows and the sum of their digests, which does not depend on their order. */
export class Fingerprint {
  count = 0
  #sum = 0n

  add(row: Row): void {
    this.count += 1
    this.#sum = (this.#sum + digestOf(row)) % LIMIT
  }

  equals(other: Fingerprint): boolean {
    return this.count === other.count && this.#sum === other.#sum
  }
}
