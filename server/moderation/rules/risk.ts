import { plainAddress } from '../../platform/rules/plain-address.ts'
import type { RiskMatch } from './ports.ts'

/**
 * Many users share a network, and most users share a kind of device: alone these are weak signals, together stronger
 * ones.
 */
const ADDRESS_RISK = 0.3
const BOTH_RISK = 0.6
const MAX_RISK = 0.8
/** The risk score lowers a threshold by at most this share, so that signals alone suspend no user. */
const THRESHOLD_SHARE = 0.5

/** Returns a score from 0 to MAX_RISK: how likely it is that a new account belongs to a blocked person. */
export function riskScore(matches: readonly RiskMatch[]): number {
  const innocence = matches
    .map(({ address, device }) => (address ? (device ? BOTH_RISK : ADDRESS_RISK) : 0))
    .reduce((rest, risk) => rest * (1 - risk), 1)
  return Math.min(MAX_RISK, 1 - innocence)
}

export function lowered(threshold: number, risk: number): number {
  return threshold * (1 - risk * THRESHOLD_SHARE)
}

const PRIVATE_V4 = /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./

function expand(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<string>(gap).fill('0'), ...right].map((group) => Number.parseInt(group, 16).toString(16))
}

/** Returns the network of a public address, /24 for IPv4 and /48 for IPv6; null for a private or malformed address. */
export function addressPrefix(address: string): string | null {
  const plain = plainAddress(address)
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(plain)) {
    return PRIVATE_V4.test(plain) ? null : `${plain.split('.').slice(0, 3).join('.')}.0/24`
  }
  if (!/^[\da-f:]{2,39}$/.test(plain) || !plain.includes(':')) return null
  const groups = expand(plain)
  const first = Number.parseInt(groups[0] ?? '0', 16)
  // Public IPv6 addresses are all in 2000::/3.
  return first >> 13 === 1 ? `${groups.slice(0, 3).join(':')}::/48` : null
}
