import type { KeepFlagged } from '../../moderation/rules/evidence-ports.ts'
import type { RecordFinding } from '../../moderation/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { ExpiringMap } from '../../platform/rules/expiring-map.ts'
import type { NoteLimits, Notes } from '../../platform/rules/notes.ts'
import { isWorthNoting, livenessOf } from './frame-liveness.ts'
import {
  countFlags,
  explicitScore,
  type FlagPolicy,
  type FrameScores,
  type JudgedFrame,
  verdictOf,
} from './frame-verdict.ts'
import { printOf } from './picture-print.ts'
import type { FrameView, Signals } from './ports.ts'

/** The dashboard asks something every 10 s. After such a silence somebody is no longer there. */
const SILENCE_MS = 45_000
/** Pictures of a stay that are looked back at: ten minutes. */
const STAY_FRAMES = 60
/** RecordFinding pictures in memory, each of which waits to be part of a finding or to be forgotten. */
const HELD_LIMIT = 200

/** Something that happened in a stay on the dashboard: a question, a picture (`print` as hexadecimal digits), one found suspicious. */
export type StayNote = { at: number; picture?: { print: string; black: boolean }; suspicious?: true }
/** `label` is what the classifier would call it. */
export type JudgedNote = JudgedFrame & { label: string }
type Held = JudgedNote & { userSession: string; jpeg: Uint8Array }

/** What is remembered of people's pictures for a while, without the pictures. */
export type FrameMemory = { stays: Notes<StayNote>; judged: Notes<JudgedNote> }

/** A question, a picture and what was found of it, for each picture that is looked back at. */
export const STAY_LIMITS: NoteLimits = { keepMs: SILENCE_MS, most: 3 * STAY_FRAMES }

export function judgedLimits({ windowMs, among }: FlagPolicy): NoteLimits {
  return { keepMs: windowMs, most: among }
}

/** `upload` is the file as it came, of which nothing is ever kept; `view` is what it shows. */
type DashboardFrame = { accountId: string; userSession: string; upload: Uint8Array; view: FrameView }

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
  memory: FrameMemory
  /** The file as a JPEG that holds nothing but what can be seen. */
  clean: (upload: Uint8Array, accountId: string) => Promise<Uint8Array>
  /** Null where pictures are not classified. */
  classify: ((pixels: Uint8Array) => Promise<FrameScores | null>) | null
  keepFlagged: KeepFlagged
  recordFinding: RecordFinding
  signals: Pick<Signals, 'add'>
  /** Work beside everything else; a fault in it is logged. */
  beside: (what: string, work: Promise<unknown>) => void
}): FrameWatch {
  const { clock, policy, memory, clean, classify, keepFlagged, recordFinding, signals, beside } = deps
  const { stays, judged } = memory
  // Pictures stay where they came until they are evidence.
  const held = new ExpiringMap<string, Held>(policy.windowMs, HELD_LIMIT)
  const heldAs = (accountId: string, { at }: JudgedNote) => `${at} ${accountId}`

  /** Where a picture cannot be encoded anew, what was found of it still counts. */
  async function hold(flaggedFrame: JudgedNote, { accountId, userSession, upload }: DashboardFrame): Promise<void> {
    const cleaning = clean(upload, accountId)
    beside('a flagged picture could not be held', cleaning)
    const [cleaned] = await Promise.allSettled([cleaning])
    if (cleaned.status === 'rejected') return
    held.set(heldAs(accountId, flaggedFrame), { ...flaggedFrame, userSession, jpeg: cleaned.value }, clock.now())
  }

  async function judge(picture: DashboardFrame, scores: FrameScores): Promise<void> {
    const { accountId, userSession } = picture
    const at = clock.now()
    const label = scores.hentai > scores.porn ? 'hentai' : 'porn'
    const frame = { at, verdict: verdictOf(scores, policy.flagScore), score: explicitScore(scores), label }
    if (frame.verdict === 'suspicious') await stays.add(accountId, { at, suspicious: true })
    if (frame.verdict === 'flagged') await hold(frame, picture)
    const earlier = (await judged.add(accountId, frame)).slice(0, -1)
    if (!countFlags(earlier, frame, policy).flagged) return
    // Another server may have found the same at this moment: who takes the notes makes the finding.
    const taken = await judged.take(accountId)
    const last = taken.pop()
    const hits = last && countFlags(taken, last, policy).flagged
    if (!hits) return
    const pictures = hits.flatMap((hit) => held.get(heldAs(accountId, hit), at) ?? [])
    for (const hit of hits) held.delete(heldAs(accountId, hit))
    await keepFlagged(accountId, pictures)
    const surest = hits.reduce((one, other) => (other.score > one.score ? other : one))
    await recordFinding(accountId, { session: userSession, label: surest.label, score: surest.score, at })
  }

  async function lookAt(frame: DashboardFrame): Promise<void> {
    const { pixels, side } = frame.view
    const { print, black } = printOf(pixels, side)
    await stays.add(frame.accountId, { at: clock.now(), picture: { print: print.toString(16), black } })
    const scores = await classify?.(pixels)
    if (scores) await judge(frame, scores)
  }

  async function judgeStay(accountId: string): Promise<void> {
    const now = clock.now()
    const notes = (await stays.take(accountId)).sort((one, other) => one.at - other.at)
    const [first] = notes
    if (!first) return
    const all = notes.flatMap(({ at, picture }) =>
      picture ? [{ at, black: picture.black, print: BigInt(`0x${picture.print}`) }] : [],
    )
    const from = all.at(-STAY_FRAMES - 1)?.at ?? first.at
    const liveness = livenessOf({ from, to: now }, all.slice(-STAY_FRAMES))
    const suspicious = notes.filter((note) => note.suspicious).length
    if (suspicious === 0 && !isWorthNoting(liveness)) return
    await signals.add({ accountId, from, at: now, suspicious, ...liveness })
  }

  return {
    look: (frame) => beside('a frame could not be looked at', lookAt(frame)),
    heardOnDashboard: (accountId) => beside('a stay could not be noted', stays.add(accountId, { at: clock.now() })),
    heardOnHub: (accountId) => beside('a signal could not be kept', judgeStay(accountId)),
  }
}
