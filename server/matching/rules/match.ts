import { AppError } from '#protocol/errors.ts'
import type { Role } from '#protocol/hub.ts'

/** One of the two in a match, with every hub connection they had in it. */
export type Side = {
  readonly account: string
  readonly role: Role
  readonly connections: Set<string>
  /** When this side's browser said that the picture of the other arrived; null before, or when another server heard it. */
  sawPeerAt: number | null
}

/** Two people who talk. `restored` is one that a restart of the server interrupted: earlier connections are unknown. */
export type Match = {
  readonly id: string
  readonly caller: Side
  readonly callee: Side
  readonly isRestored: boolean
  isConnected: boolean
  /** When the Callee's answer went to the Caller: from then on both could see each other, whatever either says of it. */
  answeredAt: number | null
}

export function newMatch(id: string, caller: string, callee: string, restored: boolean): Match {
  return {
    id,
    caller: { account: caller, role: 'Caller', connections: new Set(), sawPeerAt: null },
    callee: { account: callee, role: 'Callee', connections: new Set(), sawPeerAt: null },
    isRestored: restored,
    isConnected: false,
    answeredAt: null,
  }
}

/** How long the two had been in a call at this time; null when there was none. */
export function callMs(match: Match, at: number): number | null {
  return match.answeredAt === null ? null : at - match.answeredAt
}

export function sideOf(match: Match, account: string): Side {
  return match.caller.account === account ? match.caller : match.callee
}

export function partnerOf(match: Match, account: string): Side {
  return match.caller.account === account ? match.callee : match.caller
}

/** Throws `not-in-match` unless the connection is one that the partner has or had in this match. */
export function requirePartner(
  match: Match,
  account: string,
  connection: string,
  isOfOthers: (connection: string) => boolean,
): void {
  if (partnerOf(match, account).connections.has(connection)) return
  if (match.isRestored && !isOfOthers(connection)) return
  throw new AppError('not-in-match', 'the peer is not of this match')
}

/** Throws `not-in-match` unless the connection is one's own in this match. */
export function requireOwn(match: Match, account: string, connection: string): void {
  if (!sideOf(match, account).connections.has(connection))
    throw new AppError('not-in-match', 'the own connection is not of this match')
}

/** Throws `forbidden` unless this is the role of the account. */
export function requireRole(match: Match, account: string, role: Role): void {
  if (sideOf(match, account).role !== role) throw new AppError('forbidden', `only the ${role} may do this`)
}
