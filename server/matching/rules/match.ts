import { AppError } from '#protocol/errors.ts'
import type { Role } from '#protocol/hub.ts'
import { ExpiringMap } from '../../platform/rules/expiring-map.ts'

/** Least length of a kept call. In a kept call, each side confirmed the picture of the other side. */
export const KEPT_CALL_MS = 60_000

/** A user of a match, with the ids of all hub connections that the user has had in it. */
export type Side = {
  readonly accountId: string
  readonly role: Role
  readonly connections: Set<string>
  /** When this user's browser reported the peer's picture; null before, and when the report went to another server. */
  sawPeerAt: number | null
}

/** Two users brought together by the queue, until one leaves. */
export class Match {
  readonly id: string
  readonly caller: Side
  readonly callee: Side
  /** True for a match of another server or of an earlier process: its earlier connections are unknown. */
  readonly isRestored: boolean
  isConnected = false
  /** When the Callee's answer was relayed to the Caller. From then on the two may see each other, whatever they report. */
  answeredAt: number | null = null

  constructor(id: string, caller: string, callee: string, isRestored: boolean) {
    this.id = id
    this.caller = { accountId: caller, role: 'Caller', connections: new Set(), sawPeerAt: null }
    this.callee = { accountId: callee, role: 'Callee', connections: new Set(), sawPeerAt: null }
    this.isRestored = isRestored
  }
}

function isOf(match: Match, accountId: string): boolean {
  return match.caller.accountId === accountId || match.callee.accountId === accountId
}

/** `accountId` must be a user of the match, as for the functions below. */
export function sideOf(match: Match, accountId: string): Side {
  return match.caller.accountId === accountId ? match.caller : match.callee
}

export function partnerOf(match: Match, accountId: string): Side {
  return match.caller.accountId === accountId ? match.callee : match.caller
}

/** Throws `not-in-match` unless the connection is one that the user has or had in this match. */
export function requireOwn(match: Match, accountId: string, connection: string): void {
  if (!sideOf(match, accountId).connections.has(connection))
    throw new AppError('not-in-match', 'the own connection is not of this match')
}

/** How long a match can be reported, or terminated again, after its end. */
const KEEP_MS = 60_000

export class EndedMatches {
  readonly #byId = new ExpiringMap<string, Match>(KEEP_MS)

  add(match: Match, now: number): void {
    this.#byId.set(match.id, match, now)
  }

  /** Returns the match with this id if it is a match of this user. */
  find(accountId: string, id: string, now: number): Match | undefined {
    const match = this.#byId.get(id, now)
    return match && isOf(match, accountId) ? match : undefined
  }

  /** Returns the latest match in which `own` was a connection of this user and `peer` a connection of the partner. */
  between(accountId: string, own: string, peer: string, now: number): Match | undefined {
    const matches = this.#byId.values(now).reverse()
    return matches.find(
      (match) =>
        isOf(match, accountId) &&
        sideOf(match, accountId).connections.has(own) &&
        partnerOf(match, accountId).connections.has(peer),
    )
  }

  clear(): void {
    this.#byId.clear()
  }
}
