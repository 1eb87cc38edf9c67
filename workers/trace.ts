/** Tracks of the group "Chat" in the browser's performance panel. */
export type TraceTrack =
  | 'Match'
  | 'Call setup'
  | 'Hub'
  | 'Frames'
  | 'Workers'
  | 'Routes'
  | 'Sign-in'
  | 'Governor'
  | 'Bitrate'
  | 'Loss'
  | 'Round trip'
  | 'Frame rate'
  | 'Lines'
  | 'Concealed sound'
  | 'Long frames'
  | 'Chunks'
  | 'Signals'

/** Colours of the panel. */
export type TraceColour = 'primary' | 'primary-light' | 'primary-dark' | 'error'

type TimeStamp = (label: string, start: number, end: number, track: string, group: string, colour: TraceColour) => void

/** One span of this thread; times are of `performance.now()`. */
export type Span = { track: TraceTrack; label: string; start: number; end: number }

let on = false
/** Short id of the match that this thread is in; empty outside of a match. */
let match = ''
const followers = new Set<(span: Span) => void>()

/** Turns tracing on in this thread; the first request to a worker then turns it on there. */
export function startTracing(): void {
  on = true
}

export function isTracing(): boolean {
  return on
}

/** Adds this short id to the labels from now on; an empty id ends that. */
export function nameMatch(id: string): void {
  match = id
}

/** Calls `listener` with every span of this thread, also while tracing is off. Returns a function that unsubscribes. */
export function followSpans(listener: (span: Span) => void): () => void {
  followers.add(listener)
  return () => void followers.delete(listener)
}

/** True if tracing is on in this thread or a listener follows its spans. */
export function isMeasuring(): boolean {
  return on || followers.size > 0
}

/** Draws one span on a track if tracing is on, and calls the listeners of `followSpans`. Times are of `performance.now()`. */
export function span(
  track: TraceTrack,
  label: string,
  start: number,
  end: number = performance.now(),
  colour: TraceColour = 'primary',
): void {
  for (const listener of followers) listener({ track, label, start, end })
  if (!on) return
  // A request to a worker has the same label on both threads, and the worker knows no match.
  const whole = match && track !== 'Workers' ? `${label} [${match}]` : label
  ;(console.timeStamp as TimeStamp | undefined)?.(whole, start, end, track, 'Chat', colour)
}
