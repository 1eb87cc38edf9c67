import * as v from 'valibot'
import { explicitScore, type PictureScores } from '#protocol/explicit-score.ts'
import type { Evidence } from '../../moderation/rules/evidence.ts'
import type { Moderation } from '../../moderation/rules/moderation.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { ExpiringMap } from '../../platform/rules/expiring-map.ts'
import type { NoteLimits, Notes } from '../../platform/rules/notes.ts'
import { isNotable, livenessOf } from './frame-liveness.ts'
import { countFlags, type FlagPolicy, verdictOf } from './frame-verdict.ts'
import type { AcceptedFrame, Signals } from './ports.ts'

/** Time without a request after which a stay on the dashboard has ended; the dashboard sends a request every 10 s. */
const SILENCE_MS = 45_000
/**
 * A request is not noted within this time after the user's last note. If a stay goes on at another server, its start
 * there may seem this much later.
 */
const NOTED_MS = 15_000
/** Most users whose latest note this server remembers. */
const NOTED_MAX = 50_000
/** Most pictures of a stay that are judged: the latest, of ten minutes. */
const STAY_FRAMES = 60
/** Most flagged pictures in memory. Each becomes part of a finding or expires. */
const HELD_LIMIT = 200

const yes = v.exactOptional(v.literal(true))
/** One event of a stay on the dashboard: a request, a picture (`print` in hexadecimal digits), or a suspicious picture. */
export const staySchema = v.object({
  at: v.number(),
  picture: v.exactOptional(v.object({ print: v.pipe(v.string(), v.hexadecimal()), black: v.boolean(), changed: yes })),
  suspicious: yes,
})
type StayNote = v.InferOutput<typeof staySchema>

/** `label` is `hentai` or `porn`, whichever class has the higher score. */
export const judgedSchema = v.object({
  at: v.number(),
  verdict: v.picklist(['nothing', 'suspicious', 'flagged']),
  score: v.number(),
  label: v.string(),
})
type JudgedNote = v.InferOutput<typeof judgedSchema>
type Held = JudgedNote & { userSession: string; jpeg: Uint8Array }

/** Facts of users' pictures that are kept for a while, without the pictures. */
export type FrameMemory = { stays: Notes<StayNote>; judged: Notes<JudgedNote> }

/** Up to three events, request, picture and verdict, for each picture that is judged. */
export const STAY_LIMITS: NoteLimits = { keepMs: SILENCE_MS, most: 3 * STAY_FRAMES }

export function judgedLimits({ windowMs, among }: FlagPolicy): NoteLimits {
  return { keepMs: windowMs, most: among }
}

/** `upload` is the file as it was sent, which is never kept. */
type DashboardFrame = Pick<AcceptedFrame, 'look' | 'pixels'> & {
  accountId: string
  userSession: string
  upload: Uint8Array
  /** The sender's browser has replaced the picture by noise: the picture is counted and not judged. */
  isChanged: boolean
}

type Deps = {
  clock: Clock
  policy: FlagPolicy
  memory: FrameMemory
  clean: (upload: Uint8Array, accountId: string) => Promise<Uint8Array>
  /** Null without a classifier. */
  classify: ((pixels: Uint8Array) => Promise<PictureScores | null>) | null
  keepFlagged: Evidence['keepFlagged']
  recordFinding: Moderation['recordFinding']
  signals: Pick<Signals, 'add'>
  /** Runs work in the background and logs a fault. */
  runInBackground: (what: string, work: Promise<unknown>) => void
}

export type FrameWatch = ReturnType<typeof createFrameWatch>

/** Judges the pictures that dashboards send, and the stays of users on the dashboard. */
export function createFrameWatch(deps: Deps) {
  const { clock, policy, memory, clean, classify, keepFlagged, recordFinding, signals, runInBackground } = deps
  const { stays, judged } = memory
  // Flagged pictures, which stay on the server that received them until they become evidence.
  const held = new ExpiringMap<string, Held>(policy.windowMs, HELD_LIMIT)
  const noted = new ExpiringMap<string, true>(NOTED_MS, NOTED_MAX)
  const heldAs = (accountId: string, { at }: JudgedNote) => `${at} ${accountId}`

  function note(accountId: string, facts: Omit<StayNote, 'at'>): Promise<void> {
    const at = clock.now()
    noted.set(accountId, true, at)
    return stays.push(accountId, { at, ...facts })
  }

  async function noteRequest(accountId: string): Promise<void> {
    if (!noted.get(accountId, clock.now())) await note(accountId, {})
  }

  /** If a picture cannot be encoded again, its verdict counts all the same. */
  async function hold(flaggedFrame: JudgedNote, { accountId, userSession, upload }: DashboardFrame): Promise<void> {
    const cleaning = clean(upload, accountId)
    runInBackground('frames: a flagged picture could not be held', cleaning)
    const [cleaned] = await Promise.allSettled([cleaning])
    if (cleaned.status === 'rejected') return
    held.set(heldAs(accountId, flaggedFrame), { ...flaggedFrame, userSession, jpeg: cleaned.value }, clock.now())
  }

  async function countVerdict(picture: DashboardFrame, scores: PictureScores): Promise<void> {
    const { accountId, userSession } = picture
    const at = clock.now()
    const label = scores.hentai > scores.porn ? 'hentai' : 'porn'
    const frame = { at, verdict: verdictOf(scores, policy.flagScore), score: explicitScore(scores), label }
    if (frame.verdict === 'suspicious') await note(accountId, { suspicious: true })
    if (frame.verdict === 'flagged') await hold(frame, picture)
    const earlier = (await judged.add(accountId, frame)).slice(0, -1)
    if (!countFlags(earlier, frame, policy).flagged) return
    // Another server may count the same pictures at this moment. The server that takes the notes records the finding.
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

  async function judge(frame: DashboardFrame): Promise<void> {
    const { pixels, isChanged } = frame
    const { print, black } = frame.look
    await note(frame.accountId, { picture: { print: print.toString(16), black, ...(isChanged && { changed: true }) } })
    // Noise is not classified: the classifier would find many things in it.
    const scores = pixels && !isChanged && (await classify?.(pixels))
    if (scores) await countVerdict(frame, scores)
  }

  async function judgeStay(accountId: string): Promise<void> {
    const now = clock.now()
    noted.delete(accountId)
    const notes = (await stays.take(accountId)).sort((one, other) => one.at - other.at)
    const [first] = notes
    if (!first) return
    const all = notes.flatMap(({ at, picture }) =>
      picture
        ? [{ at, black: picture.black, changed: picture.changed === true, print: BigInt(`0x${picture.print}`) }]
        : [],
    )
    const from = all.at(-STAY_FRAMES - 1)?.at ?? first.at
    const liveness = livenessOf({ from, to: now }, all.slice(-STAY_FRAMES))
    const suspicious = notes.filter((note) => note.suspicious).length
    if (suspicious === 0 && !isNotable(liveness)) return
    await signals.add({ accountId, from, at: now, suspicious, ...liveness })
  }

  return {
    /** Judges a picture of the dashboard in the background; a fault is logged. */
    judge: (frame: DashboardFrame) => runInBackground('frames: a frame could not be judged', judge(frame)),
    /** Records that the user's dashboard has sent a request. */
    seenOnDashboard: (accountId: string) =>
      runInBackground('frames: a stay could not be recorded', noteRequest(accountId)),
    /** Ends and judges the user's stay on the dashboard, since the user is now on the hub. */
    seenOnHub: (accountId: string) => runInBackground('frames: a signal could not be stored', judgeStay(accountId)),
  }
}
