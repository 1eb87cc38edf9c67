import type { Span } from '#workers/trace.ts'
import { safeLabel } from './safe-label.ts'

/** `start` is ms after the waterfall's. */
export type Step = { track: string; label: string; start: number; ms: number }

/** One call from the press to the first frame, or to the end of its search; `isComplete` is false if there was no first frame. */
export type Waterfall = {
  /** Of `performance.now()`. */
  start: number
  ms: number
  isComplete: boolean
  steps: Step[]
  /** The longest of the steps that follow each other, and the longest after the match, which waits for no other person. */
  slowest: Step | null
  slowestAfterMatch: Step | null
  /** The causes of the call's quality, in the order of their times; empty while it is good. */
  causes: CauseAt[]
}

/** `start` is ms after the waterfall's. */
type CauseAt = { cause: string; start: number }

const STEPS_MAX = 60
/** A press that is longer ago did not start this call. */
const PRESS_MAX_MS = 60_000
/** Spans that contain others. */
const isContainer = ({ track, label }: Pick<Step, 'track' | 'label'>) =>
  track === 'Match' && (label === 'to the picture' || label === 'match')
const tracks: ReadonlySet<string> = new Set(['Match', 'Call setup', 'Hub'])

/** Labels may end in the short id of the match, as in "search [4f2a]". */
export function nameOf(label: string): string {
  return label.replace(/ \[[^\]]*\]$/, '')
}

const isMatch = (span: Span, name: string) => span.track === 'Match' && nameOf(span.label) === name
/** The span of a search that the user or a failure ended. */
export const WITHOUT_MATCH = 'search without a match'
export const endsSearch = (span: Span) => isMatch(span, 'search') || isMatch(span, WITHOUT_MATCH)

const CAUSE = 'cause: '
const isCause = ({ track, label }: Span) => track === 'Match' && label.startsWith(CAUSE)

/** Returns the cause that a span names; null for any other span. `from` is the waterfall's start. */
export function causeAt(span: Span, from: number): CauseAt | null {
  return isCause(span) ? { cause: nameOf(span.label).slice(CAUSE.length), start: span.start - from } : null
}

/**
 * Returns the waterfall of the call whose search is the last one in `spans`, which are ordered by their ends; null without a search.
 * `presses` are the times of the user's last clicks; the last one before the preparation began it.
 */
export function waterfallOf(spans: readonly Span[], presses: readonly number[]): Waterfall | null {
  const latest = [...spans].reverse()
  const search = latest.find(endsSearch)
  if (!search) return null
  const prepare = latest.find((span) => isMatch(span, 'prepare') && Math.abs(span.end - search.start) < 1)
  const first = prepare ?? search
  const press = prepare ? [...presses].reverse().find((at) => at <= prepare.start) : undefined
  const isPressed = press !== undefined && first.start - press < PRESS_MAX_MS
  const start = isPressed ? press : first.start
  const frame = latest.find((span) => span.label.startsWith('first frame') && span.end >= search.end)
  const within = spans.filter(
    (span) => tracks.has(span.track) && !isCause(span) && span.start >= start && (!frame || span.end <= frame.end),
  )
  const end = Math.max(...within.map((span) => span.end))
  const toStep = (span: Span): Step => ({
    track: span.track,
    label: safeLabel(nameOf(span.label)),
    start: span.start - start,
    ms: span.end - span.start,
  })
  const pressed: Step[] = isPressed ? [{ track: 'Match', label: 'press', start: 0, ms: first.start - press }] : []
  const steps = [...pressed, ...within.map(toStep).sort((one, other) => one.start - other.start)].slice(0, STEPS_MAX)
  const afterMatch = steps.filter((step) => step.track === 'Call setup' && step.start >= search.end - start - 1)
  const inPreparation = prepare ? steps.filter((step) => step.start + step.ms <= prepare.end - start) : []
  const own = steps.filter((step) => step.track === 'Match' && !isContainer(step))
  return {
    start,
    ms: end - start,
    isComplete: frame !== undefined,
    steps,
    slowest: named(longest([...own, ...afterMatch]), inPreparation),
    slowestAfterMatch: longest(afterMatch),
    causes: spans.filter(({ start: at }) => at >= search.end).flatMap((span) => causeAt(span, start) ?? []),
  }
}

/** Where one part of the preparation took most of its time, that is the slow step. */
function named(step: Step | null, inPreparation: Step[]): Step | null {
  if (step?.label !== 'prepare') return step
  const part = longest(inPreparation.filter((one) => one.track !== 'Match'))
  return part && part.ms > step.ms / 2 ? part : step
}

function longest(steps: readonly Step[]): Step | null {
  return steps.reduce<Step | null>((most, step) => (most && most.ms >= step.ms ? most : step), null)
}
