import type { FrameLiveness } from './frame-liveness.ts'
import type { PicturePrint } from './picture-print.ts'

/** The records of camera frames. Times are milliseconds since 1970. */

export type FrameRecord = {
  accountId: string
  sessionId: string
  kind: 'dashboard' | 'reported'
  /** Size of the file: as it was sent from a dashboard, or of a reported picture after it was encoded again. */
  bytes: number
  /** Size of the upright picture. For a dashboard's picture that was not decoded, the size in its header. */
  width: number
  height: number
  at: number
}

/** A camera frame encoded again by the server: a JPEG without metadata, with its perceptual hash if it has one. */
export type CleanFrame = { jpeg: Uint8Array; width: number; height: number; print: string | null }

/** A camera frame as a square of pixels (red, green and blue, row by row), with the size of the frame. */
export type FrameView = { pixels: Uint8Array; side: number; width: number; height: number }

/** A dashboard's picture that was accepted; `pixels` only where there is a classifier. */
export type AcceptedFrame = { width: number; height: number; look: PicturePrint; pixels: Uint8Array | null }

export interface Frames {
  /** Stores the records in one write, except those of deleted accounts. */
  record(frames: readonly FrameRecord[]): Promise<void>
}

/** What moderators see of one stay on the dashboard, from `from` to `at`; the server takes no action on it. */
export type FrameSignal = FrameLiveness & {
  accountId: string
  from: number
  at: number
  suspicious: number
}

export interface Signals {
  add(signal: FrameSignal): Promise<void>
  of(accountId: string, limit: number): Promise<FrameSignal[]>
  /** Deletes older signals, except those under a legal hold, and resolves with their number. */
  expire(before: number): Promise<number>
}
