import type { RiskMatch } from './ports.ts'

/** Many users share a network, and most users share a kind of device: alone these are weak signals, together stronger ones. */
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
