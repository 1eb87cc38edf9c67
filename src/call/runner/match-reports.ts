import type { BrowserFamily, CandidatePair, ConnectionOutcome } from '#protocol/call-counts.ts'
import { isTracing, nameMatch, span } from '#workers/trace.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import type { CallSample } from '../rules/call-reading.ts'

type Ports = { api: Pick<Api, 'request'>; clock: Pick<Clock, 'now'>; log: Log }
/**
 * `matched`: until the peer connection is connected. `connected`: until a sample shows whether it is relayed.
 * `reported`: afterwards. `unpaired` counts the samples without a candidate pair.
 */
type Progress =
  | { state: 'idle' }
  | { state: 'matched' | 'reported'; since: number }
  | { state: 'connected'; afterMs: number; unpaired: number }

/**
 * Most samples without a candidate pair that the report waits for: the first sample may be older than the connection,
 * and some browsers never name a pair.
 */
const UNPAIRED_MAX = 3

const idle: Progress = { state: 'idle' }

export type ConnectionReport = ReturnType<typeof createConnectionReport>

/** Reports to the server the outcome of the peer connection of each match, without data of its users. */
export function createConnectionReport({ api, clock, log }: Ports) {
  let progress: Progress = idle

  function send(outcome: ConnectionOutcome, afterMs: number, pair: CandidatePair | null = null): void {
    api
      .request('reportConnection', { outcome, afterMs: Math.round(afterMs), ...(pair && { pair }) })
      .catch((thrown: unknown) => log.error('The outcome of the peer connection was not reported', thrown))
  }

  return {
    /** A match has begun. */
    begin(): void {
      progress = { state: 'matched', since: clock.now() }
    },
    connected(): void {
      if (progress.state === 'matched')
        progress = { state: 'connected', afterMs: clock.now() - progress.since, unpaired: 0 }
    },
    sampled({ isRelayed, pair }: Pick<CallSample, 'isRelayed' | 'pair'>): void {
      if (progress.state !== 'connected') return
      const { unpaired } = progress
      if (pair === null && unpaired < UNPAIRED_MAX) {
        progress = { ...progress, unpaired: unpaired + 1 }
        return
      }
      send(isRelayed ? 'relay' : 'direct', progress.afterMs, pair)
      progress = { state: 'reported', since: clock.now() }
    },
    /** The peer connection was not connected in time, or no restart helped. */
    broken(): void {
      if (progress.state === 'matched') send('failed', clock.now() - progress.since)
      if (progress.state === 'reported') send('lost', clock.now() - progress.since)
      progress = idle
    },
    /** The match is over for another reason. */
    end(): void {
      progress = idle
    },
  }
}

/** What the report says of the page. `inpMs` returns null until the browser has measured a press. */
type PageExperience = { browser: BrowserFamily; inpMs: () => number | null }
export type ExperiencePorts = {
  /** Whether this visit is in the sample and its user consents at this moment. */
  isAllowed: () => boolean
  loadPage: () => Promise<PageExperience>
}

type Sample = Pick<CallSample, 'at' | 'freezes'>
type Match = {
  since: number
  firstFrameMs: number | null
  isBroken: boolean
  /** The last sample if the peer's picture moved in it, else null. */
  last: Sample | null
  /** How long the peer's picture moved, and its freezes; null in browsers that do not count freezes. */
  picture: { ms: number; freezes: number } | null
}

/** Highest values that the server takes. */
const FIRST_FRAME_MAX_MS = 60_000
const INP_MAX_MS = 60_000
/** The shortest freeze that browsers count. */
const FREEZE_MIN_MS = 150

export type ExperienceReport = ReturnType<typeof createExperienceReport>

/** Reports the experience of each match to the server: with consent, from a sample of the visits, without an id. */
export function createExperienceReport({
  api,
  clock,
  log,
  experience: { isAllowed, loadPage },
}: Ports & { experience: ExperiencePorts }) {
  let match: Match | null = null

  const failed = (thrown: unknown) => log.info(`What was felt of a match was not reported: ${String(thrown)}`)

  async function send(ended: Match): Promise<void> {
    const { browser, inpMs } = await loadPage()
    const inp = inpMs()
    const press = inp === null ? {} : { inpMs: Math.round(Math.min(inp, INP_MAX_MS)) }
    // The consent may have been withdrawn meanwhile.
    if (isAllowed()) await api.request('addExperience', { ...outcomeOf(ended), browser, ...press })
  }

  return {
    /** A match has begun. */
    begin(): void {
      match = isAllowed()
        ? { since: clock.now(), firstFrameMs: null, isBroken: false, last: null, picture: null }
        : null
    },
    /** The call is connected. Only now is there time to load the code of the report. */
    pictureArrived(): void {
      if (match?.firstFrameMs !== null) return
      match.firstFrameMs = Math.round(Math.min(clock.now() - match.since, FIRST_FRAME_MAX_MS))
      loadPage().catch(failed)
    },
    /** `isMoving` is false while the peer sends no moving picture: freezes do not count then. */
    sampled({ at, freezes }: Sample, isMoving: boolean): void {
      if (!match) return
      const { last, picture } = match
      match.last = isMoving ? { at, freezes } : null
      if (!isMoving || last === null || last.freezes === null || freezes === null) return
      match.picture = {
        ms: (picture?.ms ?? 0) + Math.max(0, at - last.at),
        freezes: (picture?.freezes ?? 0) + Math.max(0, freezes - last.freezes),
      }
    },
    /** The peer connection was not connected in time, or no restart helped. */
    broken(): void {
      if (match) match.isBroken = true
    },
    /** The match is over. May also be called without a match. */
    end(): void {
      const ended = match
      match = null
      if (ended && isAllowed()) send(ended).catch(failed)
    },
  }
}

/** Returns what the report says of the match itself; `send` adds the browser and its INP. */
function outcomeOf({ firstFrameMs, isBroken, picture }: Match) {
  if (firstFrameMs === null) return { outcome: isBroken ? 'failed' : 'left' } as const
  const connected = { outcome: 'connected', firstFrameMs } as const
  if (!picture) return connected
  const ms = Math.round(picture.ms)
  return { ...connected, picture: { ms, freezes: Math.min(picture.freezes, Math.floor(ms / FREEZE_MIN_MS)) } }
}

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
