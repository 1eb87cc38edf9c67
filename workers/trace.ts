/** Tracks of the group "Chat" in the browser's performance panel. */
export type TraceTrack = 'Match' | 'Call setup' | 'Hub' | 'Frames' | 'Workers' | 'Routes'

type TimeStamp = (label: string, start: number, end: number, track: string, group: string, colour: string) => void

let on = false

/** Turns tracing on in this thread; the first request to a worker then turns it on there. */
export function startTracing(): void {
  on = true
}

export function isTracing(): boolean {
  return on
}

/** Draws one span on a track if tracing is on. Times are of `performance.now()`. */
export function span(track: TraceTrack, label: string, start: number, end: number = performance.now()): void {
  if (!on) return
  ;(console.timeStamp as TimeStamp | undefined)?.(label, start, end, track, 'Chat', 'primary')
}
