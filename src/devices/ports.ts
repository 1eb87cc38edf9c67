import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { MediaSettings } from './rules/quality-tier.ts'

export type CameraState = 'unknown' | 'asking' | 'granted' | 'refused'

export type MediaKind = 'video' | 'audio'

/** `ended`: by unplugging or by the system. */
export type TrackChange = 'ended' | 'paused' | 'resumed'

/** A camera, microphone or speaker that the user can choose. Labels are empty before the first permission. */
export type MediaDevice = { kind: 'camera' | 'microphone' | 'speaker'; id: string; label: string }

/** The devices to open; an empty id leaves the choice to the browser. `facing` selects one of a phone's two cameras. */
export type MediaChoice = { camera: string; microphone: string; facing: 'user' | 'environment' }

/** What changed: the list of devices, a permission (granted), or the page (visible again). */
export type DeviceChange = 'devices' | 'permission' | 'shown'

export interface Camera<Stream> {
  /**
   * Opens camera and microphone. Drops minimums that the camera cannot meet, and a chosen device that is gone. Rejects
   * with `camera-refused`, whose details contain the `trouble`, also if the browser does not answer.
   */
  open(settings: MediaSettings, choice: MediaChoice): Promise<Stream>
  /**
   * Resolves with a new stream in which newly opened tracks replace those of `kinds`. The old tracks are stopped first,
   * since many phones open only one camera at a time.
   */
  reopen(kinds: readonly MediaKind[], stream: Stream, settings: MediaSettings, choice: MediaChoice): Promise<Stream>
  close(stream: Stream): void
  /** Resolves when the camera gives a picture. Rejects with `camera-refused` if it gives none. */
  shows(stream: Stream): Promise<void>
  /** Stops the camera and its light. Returns a stream with the same microphone and a black picture of the same size. */
  darken(stream: Stream): Stream
  enable(stream: Stream, kind: MediaKind, on: boolean): void
  /** Subscribes to changes of the tracks, and tells of tracks that are paused now. Returns a function that unsubscribes. */
  watch(stream: Stream, listener: (kind: MediaKind, what: TrackChange) => void): () => void
  /** Resolves with the devices, the system's default first of its kind. Rejects if the browser does not answer. */
  devices(): Promise<MediaDevice[]>
  /** Changes picture size and frame rate of the open camera. Rejects if the camera refuses; it then stays as it is. */
  resize(stream: Stream, settings: MediaSettings): Promise<void>
  /** Returns the device id of the track of this kind; empty if the browser does not report it. */
  deviceOf(stream: Stream, kind: MediaKind): string
  /** Calls the listener with the loudness, 0 to 1, in every animation frame. Returns a function that stops it. */
  measure(stream: Stream, listener: (level: number) => void): () => void
  /** Resolves with true if the browser opens camera and microphone without asking the user; false if it would ask or does not tell. */
  isAllowed(): Promise<boolean>
  /** Calls the listener when devices may be opened that could not be before. Returns a function that unsubscribes. */
  onDevices(listener: (change: DeviceChange) => void): () => void
  /** The browser's estimate of the downlink in Mbit/s; null if it has none. */
  downlink(): number | null
  weakCpu(): boolean
  portrait(): boolean
}

export type FrameOwner = { email: string; userSessionId: string }

/** Sends a frame that was captured before. */
export type SendFrame = (owner: FrameOwner) => Promise<void>

/** Sends camera pictures to the server; encodes them off the UI thread. */
export interface FrameCapture<Stream> {
  /** Resolves with the numbers in the server's response; null if the response has none, or nothing was sent. */
  capture(stream: Stream, kind: 'dashboard' | 'reported', owner: FrameOwner): Promise<OnlineCounts | null>
  /** Resolves with true if the browser replaces captured pictures by noise. */
  areChanged(): Promise<boolean>
  /** Captures the picture now. It may be sent as `reported` later, or never. */
  keep(stream: Stream): Promise<SendFrame>
}
