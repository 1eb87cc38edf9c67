import { isTracing, nameMatch, span } from '#workers/trace.ts'

export type MatchSpans = ReturnType<typeof createMatchSpans>

/** Constants of the 32-bit FNV-1a hash. */
const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193
const HEX = 16
const SHORT_DIGITS = 6

/** Records spans for the profiler: each search, the time from its match to the peer's picture, and the whole match. */
export function createMatchSpans() {
  let since = 0
  let isSearching = false
  let isMatched = false
  /** Null while no search is prepared. */
  let preparingSince: number | null = null
  return {
    preparing(): void {
      preparingSince = performance.now()
    },
    searching(): void {
      if (preparingSince !== null) span('Match', 'prepare', preparingSince)
      preparingSince = null
      isSearching = true
      since = performance.now()
    },
    matched(matchId: string): void {
      isSearching = false
      isMatched = true
      if (isTracing()) nameMatch(shortMatchId(matchId))
      span('Match', 'search', since)
      since = performance.now()
    },
    pictureArrived(): void {
      span('Match', 'to the picture', since)
    },
    /** May be called without a match. */
    ended(): void {
      if (isMatched) span('Match', 'match', since)
      if (isSearching) span('Match', 'search without a match', since)
      isSearching = false
      isMatched = false
      nameMatch('')
    },
  }
}

/** Returns a short id that is the same for both users of a match and does not reveal the match's id. */
function shortMatchId(matchId: string): string {
  let hash = OFFSET_BASIS
  for (const byte of new TextEncoder().encode(matchId)) hash = Math.imul(hash ^ byte, PRIME)
  return (hash >>> 0).toString(HEX).padStart(SHORT_DIGITS, '0').slice(-SHORT_DIGITS)
}
