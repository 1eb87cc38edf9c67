import * as v from 'valibot'
import { listOf } from '#protocol/parse.ts'
import type { Span } from '#workers/trace.ts'
import { createRing, ENTRIES_MAX } from './limited.ts'

/** `start` is in ms after the start of the waterfall. */
const stepSchema = v.object({ track: v.string(), label: v.string(), start: v.number(), ms: v.number() })
export type Step = v.InferOutput<typeof stepSchema>

/** A call from the press of the button to the first frame, or a search without a match. */
export const waterfallSchema = v.object({
  /** A time of `performance.now()`. */
  start: v.number(),
  ms: v.number(),
  /** False if there was no first frame. */
  isComplete: v.boolean(),
  steps: listOf(stepSchema, ENTRIES_MAX),
  /** The longest of the steps that follow one another. */
  slowest: v.nullable(stepSchema),
  /** The longest step after the match: such a step, unlike a search, does not wait for another user. */
  slowestAfterMatch: v.nullable(stepSchema),
  /**
   * The causes of the call's quality, in the order of their times; empty while the quality is good. `start` is in ms
   * after the start of the waterfall.
   */
  causes: listOf(v.object({ cause: v.string(), start: v.number() }), ENTRIES_MAX),
})
export type Waterfall = v.InferOutput<typeof waterfallSchema>

const CALLS_MAX = 20
/** Number of kept spans, from which waterfalls are made. */
const CALL_SPANS_MAX = 300
const PRESSES_MAX = 20
const STEPS_MAX = 60
/** Longest time from a click to the call that it started. */
const PRESS_MAX_MS = 60_000
/** True for spans that contain other spans. */
const isContainer = ({ track, label }: Pick<Step, 'track' | 'label'>) =>
  track === 'Match' && (label === 'to the picture' || label === 'match')
const tracks: ReadonlySet<string> = new Set(['Match', 'Call setup', 'Hub'])

/** Returns the label without the short id of the match at its end, as in "search [4f2a]". */
export function nameOf(label: string): string {
  return label.replace(/ \[[^\]]*\]$/, '')
}

const isMatch = (span: Span, name: string) => span.track === 'Match' && nameOf(span.label) === name
/** Label of the span of a search that ended without a match. */
const WITHOUT_MATCH = 'search without a match'
const endsSearch = (span: Span) => isMatch(span, 'search') || isMatch(span, WITHOUT_MATCH)

const CAUSE = 'cause: '
const isCause = ({ track, label }: Span) => track === 'Match' && label.startsWith(CAUSE)

/** Returns the cause that a span names; null for any other span. `from` is the waterfall's start. */
function causeAt(span: Span, from: number): Waterfall['causes'][number] | null {
  return isCause(span) ? { cause: nameOf(span.label).slice(CAUSE.length), start: span.start - from } : null
}

/** Makes a waterfall of each search that has ended. Call `take` with the spans in the order of their ends. */
export function collectCalls() {
  const calls = createRing<Waterfall>(CALLS_MAX)
  let recent = createRing<Span>(CALL_SPANS_MAX)
  let isOpen = false
  const presses = createRing<number>(PRESSES_MAX)

  /** Completes the open waterfall, with or without a first frame. */
  function close(): void {
    const call = isOpen ? waterfallOf(recent.items(), presses.items()) : null
    if (isOpen) recent = createRing<Span>(CALL_SPANS_MAX)
    isOpen = false
    if (call) calls.add(call)
  }

  return {
    /** Takes the time of a click, which may begin a call. */
    pressed: presses.add,

    take(span: Span): void {
      const name = nameOf(span.label)
      // Causes of the quality come only after the first frame, so they belong to the completed waterfall.
      const shown = isOpen ? undefined : calls.items().at(-1)
      const cause = shown && causeAt(span, shown.start)
      if (cause) shown.causes.push(cause)
      recent.add(span)
      if (endsSearch(span)) isOpen = true
      const isOver =
        (span.track === 'Call setup' && name === 'first frame') ||
        (span.track === 'Match' && (name === 'match' || name === WITHOUT_MATCH)) ||
        (span.track === 'Routes' && span.label === '/chat')
      if (isOver) close()
    },

    all: calls.items,
    restore: (earlier: readonly Waterfall[]) => earlier.forEach(calls.add),
  }
}

/**
 * Returns the waterfall of the call whose search is the last in `spans`; null without a search. `spans` are ordered by
 * their ends. `presses` are the times of the user's last clicks: the last one before the preparation started the call.
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
    label: nameOf(span.label),
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

/** Returns the part that took most of the preparation's time, if `step` is the preparation; else `step`. */
function named(step: Step | null, inPreparation: Step[]): Step | null {
  if (step?.label !== 'prepare') return step
  const part = longest(inPreparation.filter((one) => one.track !== 'Match'))
  return part && part.ms > step.ms / 2 ? part : step
}

function longest(steps: readonly Step[]): Step | null {
  return steps.reduce<Step | null>((most, step) => (most && most.ms >= step.ms ? most : step), null)
}
