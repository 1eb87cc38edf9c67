import type { Role } from '#protocol/hub.ts'

/** What the server has seen of one user of a match. */
export type SideFacts = {
  /** The user's connection has acknowledged the match, and did not drop while the call was set up. */
  isReached: boolean
  /** The user's browser has reported the other's picture. */
  sawPeer: boolean
  /** The user has sent anything in this match. */
  hasSpoken: boolean
  /** Since the acknowledgement, for a user who has sent nothing; else 0. */
  silentMs: number
}

/** What the server has seen of a match that has ended. Times are in milliseconds. */
export type MatchFacts = Record<Role, SideFacts> & {
  /** Until the end, since the match was announced. */
  lastedMs: number
  /** The Caller's offer was relayed. */
  hasOffer: boolean
  /** The Callee's answer was relayed. */
  hasAnswer: boolean
  /** Since the side that owes the offer or the answer could have begun it; null where it could not yet, or owes nothing. */
  owedMs: number | null
  /** Since both have reported the other's picture; null where one has not. */
  callMs: number | null
  /** Who ended it; null for a time limit or a user who did not come back. */
  leaver: Role | null
  /** The leaver ended it by a report. */
  isReport: boolean
}

/** How long a side that is there may take, in milliseconds. */
export type SetupTimes = {
  /** Until it sends anything at all, from its acknowledgement of the match. */
  silentMs: number
  /** Until it sends the offer or the answer, from its acknowledgement of what it answers. */
  owedMs: number
}

/** A page introduces itself in the same task in which it reads the match, however slow the device is. */
const SILENT_SHARE = 0.25
/** The slowest answer that was measured took 6.5 s, on a busy machine slowed down twentyfold (docs/decisions/matching.md). */
const OWED_SHARE = 0.6

/** 5 and 12 s with the usual limit of 20 s. */
export function setupTimes(matchTimeoutMs: number): SetupTimes {
  return { silentMs: SILENT_SHARE * matchTimeoutMs, owedMs: OWED_SHARE * matchTimeoutMs }
}

/** How a match came out for one side: how much it failed by this side, whether it was a good call, and how clearly this side did its part. */
export type SideOutcome = { failed: number; good: number; fair: number }

const SILENT = 2
/** The side is there, but sends no offer or answer. Weighs less, since the offer may be one that no browser accepts. */
const UNANSWERED = 1
/** The Caller of an offer that was not answered: it may be one that no browser accepts. */
const OFFER_IN_VAIN = 0.25
/** One side reports the other's picture and the other none: somebody sends no picture, or conceals that it came, or one way is blocked. */
const ONE_SIDED = 0.5
/** Nobody can tell whose fault it is: mostly the network between them, or that of one. */
const UNCLEAR = 0.2
const LEFT_AT_ONCE = 1
/** In less time after the match no page lets its user leave, except by giving up the search. */
const EARLY_MS = 5_000
/** In less time after both pictures nobody has judged the other; a report, and leaving for what was shown, take two clicks. */
const AT_ONCE_MS = 2_000
const GOOD_CALL_MS = 5_000

const nothing: SideOutcome = { failed: 0, good: 0, fair: 0 }
const didPart: SideOutcome = { failed: 0, good: 0, fair: 1 }
const failed = (weight: number): SideOutcome => ({ failed: weight, good: 0, fair: 0 })
/** A quarter of doing one's part: two such matches show it half. */
const unclear: SideOutcome = { failed: UNCLEAR, good: 0, fair: 0.25 }
/** Of a side that was not reached: one that has sent something in the match may have lost its connection, one that has not shows nothing. */
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

/** The match ended before the answer: by the side that owed the next step, or before anybody can tell. */
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

/** The match ended after the answer, before both saw each other. */
function connectingOutcome({ Caller, Callee }: MatchFacts): MatchOutcome {
  if (Caller.sawPeer !== Callee.sawPeer) return { Caller: oneSided, Callee: oneSided }
  if (Caller.isReached === Callee.isReached) return { Caller: unclear, Callee: unclear }
  return outcome(Caller.isReached ? 'Callee' : 'Caller', unclear, didPart)
}

/**
 * How a match came out for its sides, by what the server itself has seen: a client may lie about what it sees, but only about the other's
 * picture.
 */
export function outcomeOf(facts: MatchFacts, times: SetupTimes): MatchOutcome {
  const { leaver, isReport, lastedMs, hasAnswer, callMs } = facts
  if (callMs !== null) return callOutcome(facts)
  if (isReport) return { Caller: nothing, Callee: nothing }
  if (leaver && lastedMs < EARLY_MS) return outcome(leaver, failed(LEFT_AT_ONCE), didPart)
  return hasAnswer ? connectingOutcome(facts) : setupOutcome(facts, times)
}
