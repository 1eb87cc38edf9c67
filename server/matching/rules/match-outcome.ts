import type { Role } from '#protocol/hub.ts'

/** What the server has seen of one user of a match. */
export type SideFacts = {
  /** The user's connection has acknowledged the match, and did not drop while the call was set up. */
  isReached: boolean
  /** The user's browser has reported the peer's picture. */
  sawPeer: boolean
  hasSpoken: boolean
  /** Time since the acknowledgement for a user who has sent nothing in this match; else 0. */
  silentMs: number
}

/** What the server has seen of a match that has ended. Times are in milliseconds. */
export type MatchFacts = Record<Role, SideFacts> & {
  /** From the announcement to the end. */
  lastedMs: number
  hasOffer: boolean
  hasAnswer: boolean
  /** Time since the side that owes the offer or the answer could have sent it; null when no side owes or could send one. */
  owedMs: number | null
  /** Time since both users have reported the peer's picture; null when a report is missing. */
  callMs: number | null
  /** The side that ended the match; null for a time limit and for a user who did not come back. */
  leaver: Role | null
  /** The leaver ended the match by a report. */
  isReport: boolean
}

/** How long a present side may take, in milliseconds. */
export type SetupTimes = {
  /** From the side's acknowledgement of the match until the side sends anything. */
  silentMs: number
  /** From the Caller's acknowledgement of the match to the offer, or from the Callee's of the offer to the answer. */
  owedMs: number
}

/** Share of the match timeout. A page introduces itself in the task in which it reads the match, also on a slow device. */
const SILENT_SHARE = 0.25
/** Share of the match timeout. The slowest answer measured took 6.5 s, on a machine slowed down twentyfold (docs/decisions/matching.md). */
const OWED_SHARE = 0.6

/** Returns 5 and 12 s with the usual match timeout of 20 s. */
export function setupTimes(matchTimeoutMs: number): SetupTimes {
  return { silentMs: SILENT_SHARE * matchTimeoutMs, owedMs: OWED_SHARE * matchTimeoutMs }
}

/**
 * How a match came out for a side. `failed`: how much the match failed by this side. `good`: how good the call was.
 * `fair`: how clearly the side did its part.
 */
export type SideOutcome = { failed: number; good: number; fair: number }

// Weights of failures, in matches.

const SILENT = 2
/** The side is present but sends no offer or answer. Weighs less than silence, since perhaps no browser accepts the offer. */
const UNANSWERED = 1
/** An offer of the Caller stays unanswered: perhaps no browser accepts the offer. */
const OFFER_IN_VAIN = 0.25
/** Only one side reports a picture: a side sends none, a side conceals the peer's, or one direction is blocked. */
const ONE_SIDED = 0.5
/** Neither side is known to be at fault: mostly a network fails. */
const UNCLEAR = 0.2
const LEFT_AT_ONCE = 1
/** No page lets its user leave a match in less time, except by ending the search. */
const EARLY_MS = 5_000
/** Nobody judges a picture in less time: to report it, or to leave because of it, takes two clicks. */
const AT_ONCE_MS = 2_000
const GOOD_CALL_MS = 5_000

const nothing: SideOutcome = { failed: 0, good: 0, fair: 0 }
const didPart: SideOutcome = { failed: 0, good: 0, fair: 1 }
const failed = (weight: number): SideOutcome => ({ failed: weight, good: 0, fair: 0 })
/** The outcome if it is unclear whether the side did its part: this counts as a quarter. */
const unclear: SideOutcome = { failed: UNCLEAR, good: 0, fair: 0.25 }
/** The outcome of a side that was not reached. If it has sent something, it may have lost its connection. */
const lost = (hasSpoken: boolean): SideOutcome => (hasSpoken ? unclear : failed(UNCLEAR))
const oneSided: SideOutcome = { ...unclear, failed: ONE_SIDED }
const good: SideOutcome = { failed: 0, good: 1, fair: 1 }

export type MatchOutcome = Record<Role, SideOutcome>

function outcome(side: Role, own: SideOutcome, other: SideOutcome): MatchOutcome {
  return side === 'Caller' ? { Caller: own, Callee: other } : { Caller: other, Callee: own }
}

function callOutcome({ callMs, leaver, isReport }: MatchFacts): MatchOutcome {
  if (callMs !== null && callMs >= GOOD_CALL_MS) return { Caller: good, Callee: good }
  if (leaver && !isReport && callMs !== null && callMs < AT_ONCE_MS)
    return outcome(leaver, failed(LEFT_AT_ONCE), didPart)
  return { Caller: nothing, Callee: nothing }
}

/** The outcome of a match that ended before the answer. */
function setupOutcome(facts: MatchFacts, times: SetupTimes): MatchOutcome {
  const { hasOffer, owedMs, lastedMs } = facts
  const isSilent = (role: Role) => facts[role].silentMs >= times.silentMs
  const sideOf = (role: Role) => (facts[role].hasSpoken ? didPart : nothing)
  if (isSilent('Caller') || isSilent('Callee')) {
    const of = (role: Role) => (isSilent(role) ? failed(SILENT) : sideOf(role))
    return { Caller: of('Caller'), Callee: of('Callee') }
  }
  const owing: Role = hasOffer ? 'Callee' : 'Caller'
  const other = hasOffer ? didPart : sideOf('Callee')
  if (!facts[owing].isReached || owedMs === null)
    return outcome(owing, lastedMs < times.owedMs ? nothing : lost(facts[owing].hasSpoken), other)
  if (owedMs < times.owedMs) return outcome(owing, nothing, other)
  return outcome(owing, failed(UNANSWERED), hasOffer ? { ...didPart, failed: OFFER_IN_VAIN } : other)
}

/** The outcome of a match that ended after the answer and before both users saw each other. */
function connectingOutcome({ Caller, Callee }: MatchFacts): MatchOutcome {
  if (Caller.sawPeer !== Callee.sawPeer) return { Caller: oneSided, Callee: oneSided }
  if (Caller.isReached === Callee.isReached) return { Caller: unclear, Callee: unclear }
  return outcome(Caller.isReached ? 'Callee' : 'Caller', unclear, didPart)
}

/** Returns the outcome by what the server itself has seen; a client can lie only about the peer's picture. */
export function outcomeOf(facts: MatchFacts, times: SetupTimes): MatchOutcome {
  const { leaver, isReport, lastedMs, hasAnswer, callMs } = facts
  if (callMs !== null) return callOutcome(facts)
  if (isReport) return { Caller: nothing, Callee: nothing }
  if (leaver && lastedMs < EARLY_MS) return outcome(leaver, failed(LEFT_AT_ONCE), didPart)
  return hasAnswer ? connectingOutcome(facts) : setupOutcome(facts, times)
}
