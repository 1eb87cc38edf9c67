import type { PictureOf } from '#protocol/picture-state.ts'

/** Rules of the safety curtain: when a look at a picture of a call starts, and when the peer's picture is veiled. Times are in ms. */

/** Time after the first look in which looks at the peer are FIRST_INTERVAL_MS apart; later INTERVAL_MS. */
const FIRST_MS = 10_000
const FIRST_INTERVAL_MS = 500
const INTERVAL_MS = 1_000
/** Time between looks after a flagged look: short, so that the veil comes within 1.5 s of the first flagged picture. */
const CHECK_AGAIN_MS = 300
const OWN_INTERVAL_MS = 2_000
/** Time after which the page receives routine looks that found nothing. It receives flagged looks at once. */
export const ROUTINE_MS = 5_000

/** The looks at one picture so far. `inRow`: flagged looks since the last look that was not flagged. */
type Looks = { firstAt: number; startedAt: number; endedAt: number; inRow: number }

/** State of the curtain in one call. */
export type CurtainState = {
  peer: Looks | null
  own: Looks | null
  /** Number of looks at the peer's picture; `flagged` of them were flagged. */
  looks: number
  flagged: number
  isVeiled: boolean
  /** The user chose "Show anyway", which applies to the rest of this call. */
  isChosen: boolean
  veils: number
}

export const curtainStart: CurtainState = {
  peer: null,
  own: null,
  looks: 0,
  flagged: 0,
  isVeiled: false,
  isChosen: false,
  veils: 0,
}

/** The pictures that are shown to the user now. */
export type ShownPictures = Record<PictureOf, boolean>

/** Returns the next look and its earliest time; null if there is nothing to look at. One look runs at a time. */
export function nextLook(state: CurtainState, shown: ShownPictures): { of: PictureOf; at: number } | null {
  const peerAt = shown.peer && !state.isVeiled && !state.isChosen ? dueAt(state.peer, peerInterval(state.peer)) : null
  const isSuspicious = peerAt !== null && state.peer !== null && state.peer.inRow > 0
  const ownAt = shown.own && !isSuspicious ? dueAt(state.own, OWN_INTERVAL_MS) : null
  if (peerAt !== null && (ownAt === null || peerAt <= ownAt)) return { of: 'peer', at: peerAt }
  return ownAt === null ? null : { of: 'own', at: ownAt }
}

/**
 * A picture that is looked at repeatedly. `at`: time of the first look. `everyMs`: time from the start of one look to
 * the start of the next.
 */
type Routine = { of: PictureOf; at: number; everyMs: number }

/**
 * Returns the looks that the worker may repeat without the page until a look is flagged. Null in the first seconds and
 * after a flagged look, when looks are closer together.
 */
export function routineLooks(state: CurtainState, shown: ShownPictures): Routine[] | null {
  const next = { peer: nextLook(state, { ...shown, own: false }), own: nextLook(state, { ...shown, peer: false }) }
  const peerMs = peerInterval(state.peer)
  if (next.peer && peerMs !== INTERVAL_MS) return null
  const routine: Routine[] = []
  if (next.peer) routine.push({ ...next.peer, everyMs: peerMs })
  if (next.own) routine.push({ ...next.own, everyMs: OWN_INTERVAL_MS })
  return routine
}

function peerInterval(looks: Looks | null): number {
  if (looks && looks.inRow > 0) return CHECK_AGAIN_MS
  return looks && looks.startedAt - looks.firstAt >= FIRST_MS ? INTERVAL_MS : FIRST_INTERVAL_MS
}

/** Returns the earliest start of the next look. The pause before it is at least as long as the last look took. */
function dueAt(looks: Looks | null, interval: number): number {
  return looks ? Math.max(looks.startedAt + interval, 2 * looks.endedAt - looks.startedAt) : Number.NEGATIVE_INFINITY
}

/** A look that has ended; `isFlagged` is null if it failed or there was no picture. */
export type EndedLook = { of: PictureOf; startedAt: number; endedAt: number; isFlagged: boolean | null }

/** Returns the state after a look. `looksToVeil` flagged looks in a row veil the peer's picture. */
export function afterLook(state: CurtainState, look: EndedLook, looksToVeil: number): CurtainState {
  const { of, startedAt, endedAt, isFlagged } = look
  const before = state[of]
  const inRow = isFlagged === null ? (before?.inRow ?? 0) : isFlagged ? (before?.inRow ?? 0) + 1 : 0
  const next = { ...state, [of]: { firstAt: before?.firstAt ?? startedAt, startedAt, endedAt, inRow } }
  if (of === 'own' || isFlagged === null) return next
  const isVeiled = state.isVeiled || (!state.isChosen && inRow >= looksToVeil)
  return {
    ...next,
    looks: state.looks + 1,
    flagged: state.flagged + Number(isFlagged),
    isVeiled,
    veils: state.veils + Number(isVeiled && !state.isVeiled),
  }
}

/** Returns the state after the user has asked to see the veiled picture. */
export function showAnyway(state: CurtainState): CurtainState {
  return state.isVeiled ? { ...state, isVeiled: false, isChosen: true } : state
}

/** Whether the peer's browser may have veiled the user's own picture. */
export function isOwnFlagged({ own }: CurtainState, looksToVeil: number): boolean {
  return own !== null && own.inRow >= looksToVeil
}
