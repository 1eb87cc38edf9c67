/** What is asked of the records, and of cryptography, about cameras' pictures. Times are milliseconds since 1970. */

export type FrameRecord = {
  accountId: string
  sessionId: string
  kind: 'dashboard' | 'reported'
  /** Of a dashboard's picture as it came, of a reported one as it was encoded anew. */
  bytes: number
  /** Upright, as it is seen. */
  width: number
  height: number
  at: number
}

/** A camera's picture as it goes on: a JPEG that holds nothing but what can be seen. */
export type CleanFrame = { jpeg: Uint8Array; width: number; height: number }

/** What a camera's picture looks like: a square of red, green and blue, row by row, and the size of the whole. */
export type FrameView = { pixels: Uint8Array; side: number; width: number; height: number }

export interface Frames {
  /** All in one write, but for those of people who are gone. */
  record(frames: readonly FrameRecord[]): Promise<void>
}

/** How the pictures of one stay on the dashboard came, for a moderator to weigh; nothing follows from it by itself. */
export type FrameSignal = {
  accountId: string
  from: number
  at: number
  expected: number
  came: number
  /** Black all over: the camera was off or covered. */
  black: number
  longestGapMs: number
  /** The longest run of pictures that look the same. */
  sameFrameRepeated: number
  /** Pictures that the classifier found suspicious. */
  suspicious: number
}

export interface Signals {
  add(signal: FrameSignal): Promise<void>
  /** Newest first. */
  of(accountId: string, limit: number): Promise<FrameSignal[]>
  /** Deletes what is older, but for what a legal hold keeps; answers how many. */
  expire(before: number): Promise<number>
}
