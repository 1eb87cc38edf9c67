import type { RiskMatch } from './ports.ts'

/** Many users share an address prefix, and most a kind of device: alone these are weak signals, together stronger ones. */
const ADDRESS_RISK = 0.3
const BOTH_RISK = 0.6
const MAX_RISK = 0.8
/** A threshold falls by at most this share times the risk score: signals alone suspend no user. */
const THRESHOLD_SHARE = 0.5

/** Returns a score from 0 to MAX_RISK: how likely a new account belongs to a blocked person. */
export function riskScore(matches: readonly RiskMatch[]): number {
  const innocence = matches
    .map(({ address, device }) => (address ? (device ? BOTH_RISK : ADDRESS_RISK) : 0))
    .reduce((rest, risk) => rest * (1 - risk), 1)
  return Math.min(MAX_RISK, 1 - innocence)
}

export function lowered(threshold: number, risk: number): number {
  return threshold * (1 - risk * THRESHOLD_SHARE)
}
