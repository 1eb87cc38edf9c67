/** Tracks of the group "Chat" in the browser's performance panel. */
export type TraceTrack = 'Match' | 'Call setup' | 'Hub' | 'Frames' | 'Workers' | 'Routes'

type TimeStamp = (label: string, start: number, end: number, track: string, group: string, colour: string) => void

let on = false

/** From now on this thread's spans are drawn; a page switches its workers on with the first call to each. */
export function startTracing(): void {
  on = true
}

export function isTracing(): boolean {
  return on
}

/** Puts one span on its track; nothing happens unless tracing is on. Times are of `performance.now()`. */
export function span(track: TraceTrack, label: string, start: number, end: number = performance.now()): void {
  if (!on) return
  ;(console.timeStamp as TimeStamp | undefined)?.(label, start, end, track, 'Chat', 'primary')
}
