import type { Span } from '#workers/trace.ts'
import { createRing } from './ring.ts'
import { causeAt, endsSearch, nameOf, type Waterfall, WITHOUT_MATCH, waterfallOf } from './waterfall.ts'

const CALLS_MAX = 20
/** Spans of the last calls, from which waterfalls are made. */
const CALL_SPANS_MAX = 300
const PRESSES_MAX = 20

/** Makes a waterfall of each search that ended, with a match or without, from the spans in the order of their ends. */
export function collectCalls() {
  const calls = createRing<Waterfall>(CALLS_MAX)
  let recent = createRing<Span>(CALL_SPANS_MAX)
  let isOpen = false
  const presses = createRing<number>(PRESSES_MAX)

  /** Ends the waterfall that is open, with its first frame or without. */
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
      // The quality is known only after the first frame.
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
