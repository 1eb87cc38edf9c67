import { type ArrivedFrame, isWorthNoting, livenessOf } from './frame-liveness.ts'
import {
  countFlags,
  explicitScore,
  type FlagPolicy,
  type FrameScores,
  type JudgedFrame,
  verdictOf,
} from './frame-verdict.ts'
import { Latest } from './latest.ts'
import { type PicturePrint, printOf } from './picture-print.ts'
import type { Clock, Flagged, KeepFlagged, Signals } from './ports.ts'

/** The dashboard asks something every 10 s. After such a silence somebody is no longer there. */
const SILENCE_MS = 45_000
/** People whose stay, or whose judged pictures, are remembered at once. */
const PEOPLE_LIMIT = 10_000
/** Pictures of a stay that are looked back at: ten minutes. */
const STAY_FRAMES = 60
/** Flagged pictures in memory, each of which waits to be part of a finding or to be forgotten. */
const HELD_LIMIT = 200

type Stay = { from: number; frames: readonly ArrivedFrame[]; suspicious: number }
/** `label` is what the classifier would call it. */
type Judged = JudgedFrame & { label: string }
type Held = Judged & { userSession: string; jpeg: Uint8Array }

type DashboardFrame = { accountId: string; userSession: string; jpeg: Uint8Array }

export type FrameWatch = {
  /** Looks at a picture of the dashboard beside its caller, who never waits for it nor hears of a fault. */
  look(frame: DashboardFrame): void
  /** The person's dashboard has asked for something that it alone asks for. */
  heardOnDashboard(accountId: string): void
  /** The person is on the hub, so no longer on the dashboard: the stay there is judged. */
  heardOnHub(accountId: string): void
}

export function createFrameWatch(deps: {
  clock: Clock
  policy: FlagPolicy
  /** The picture as a square of pixels. */
  shrink: (jpeg: Uint8Array) => Promise<{ pixels: Uint8Array; side: number }>
  /** Null where pictures are not classified. */
  classify: ((pixels: Uint8Array) => Promise<FrameScores | null>) | null
  keepFlagged: KeepFlagged
  flagged: Flagged
  signals: Pick<Signals, 'add'>
  /** Work beside everything else; a fault in it is logged. */
  beside: (what: string, work: Promise<unknown>) => void
}): FrameWatch {
  const { clock, policy, shrink, classify, keepFlagged, flagged, signals, beside } = deps
  const stays = new Latest<string, Stay>(SILENCE_MS, PEOPLE_LIMIT)
  const counted = new Latest<string, readonly Judged[]>(policy.windowMs, PEOPLE_LIMIT)
  const held = new Latest<Judged, Held>(policy.windowMs, HELD_LIMIT)

  function stayOf(accountId: string, now: number): Stay {
    return stays.get(accountId, now) ?? { from: now, frames: [], suspicious: 0 }
  }

  function arrive(accountId: string, picture: PicturePrint): void {
    const at = clock.now()
    const stay = stayOf(accountId, at)
    const frames = [...stay.frames, { ...picture, at }]
    const first = frames.length > STAY_FRAMES ? frames.shift() : undefined
    stays.set(accountId, { ...stay, from: first?.at ?? stay.from, frames }, at)
  }

  async function judge({ accountId, userSession, jpeg }: DashboardFrame, scores: FrameScores): Promise<void> {
    const at = clock.now()
    const label = scores.hentai > scores.porn ? 'hentai' : 'porn'
    const frame = { at, verdict: verdictOf(scores, policy.flagScore), score: explicitScore(scores), label }
    if (frame.verdict === 'suspicious') {
      const stay = stayOf(accountId, at)
      stays.set(accountId, { ...stay, suspicious: stay.suspicious + 1 }, at)
    }
    if (frame.verdict === 'flagged') held.set(frame, { ...frame, userSession, jpeg }, at)
    const { counting, flagged: hits } = countFlags(counted.get(accountId, at) ?? [], frame, policy)
    counted.set(accountId, counting, at)
    if (!hits) return
    const pictures = hits.flatMap((hit) => held.get(hit, at) ?? [])
    for (const hit of hits) held.delete(hit)
    await keepFlagged(accountId, pictures)
    const surest = hits.reduce((one, other) => (other.score > one.score ? other : one))
    await flagged(accountId, { session: userSession, label: surest.label, score: surest.score, at })
  }

  async function lookAt(frame: DashboardFrame): Promise<void> {
    const { pixels, side } = await shrink(frame.jpeg)
    arrive(frame.accountId, printOf(pixels, side))
    const scores = await classify?.(pixels)
    if (scores) await judge(frame, scores)
  }

  return {
    look: (frame) => beside('a frame could not be looked at', lookAt(frame)),

    heardOnDashboard(accountId) {
      const now = clock.now()
      stays.set(accountId, stayOf(accountId, now), now)
    },

    heardOnHub(accountId) {
      const now = clock.now()
      const stay = stays.get(accountId, now)
      if (!stay) return
      stays.delete(accountId)
      const liveness = livenessOf({ from: stay.from, to: now }, stay.frames)
      if (stay.suspicious === 0 && !isWorthNoting(liveness)) return
      const signal = { accountId, from: stay.from, at: now, suspicious: stay.suspicious, ...liveness }
      beside('a signal could not be kept', signals.add(signal))
    },
  }
}
