/** Tracks of the group "Chat" in the browser's performance panel. */
export type TraceTrack = 'Match' | 'Call setup' | 'Hub' | 'Frames' | 'Workers' | 'Routes'

type TimeStamp = (label: string, start: number, end: number, track: string, group: string, colour: string) => void

/** Puts one span on its track. Times are of `performance.now()`; costs next to nothing while nothing records. */
export function span(track: TraceTrack, label: string, start: number, end: number = performance.now()): void {
  ;(console.timeStamp as TimeStamp | undefined)?.(label, start, end, track, 'Chat', 'primary')
}
