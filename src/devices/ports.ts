import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { MediaSettings } from './rules/quality-tier.ts'

export type CameraState = 'unknown' | 'asking' | 'granted' | 'refused'

export type MediaKind = 'video' | 'audio'

/** `ended`: by unplugging or by the system. */
export type TrackChange = 'ended' | 'paused' | 'resumed'

/** A camera, microphone or speaker that can be chosen. Labels are empty before the first permission. */
export type MediaDevice = { kind: 'camera' | 'microphone' | 'speaker'; id: string; label: string }

/** The devices to open; with an empty id the browser chooses. `facing` selects one of a phone's two cameras. */
export type MediaChoice = { camera: string; microphone: string; facing: 'user' | 'environment' }

/** The list of devices changed, a permission was granted, or the page became visible. */
export type DeviceChange = 'devices' | 'permission' | 'shown'

export interface Camera<Stream> {
  /**
   * Opens camera and microphone without minimums that the camera cannot meet and without a chosen device that is gone. Rejects
   * with `camera-refused`, whose details have the `trouble`, also where the browser does not answer.
   */
  open(settings: MediaSettings, choice: MediaChoice): Promise<Stream>
  /** Returns a new stream in which newly opened tracks replace those of `kinds`, which are stopped first: many phones open one camera at a time. */
  reopen(kinds: readonly MediaKind[], stream: Stream, settings: MediaSettings, choice: MediaChoice): Promise<Stream>
  close(stream: Stream): void
  /** Resolves once the camera gives a picture. Rejects with `camera-refused` if it gives none. */
  shows(stream: Stream): Promise<void>
  /** Stops the camera, and with it its light. Returns a stream with the same microphone, whose picture is black and of the same size. */
  darken(stream: Stream): Stream
  enable(stream: Stream, kind: MediaKind, on: boolean): void
  /** Subscribes to changes of the tracks, and tells of tracks that are paused now. Returns a function that unsubscribes. */
  watch(stream: Stream, listener: (kind: MediaKind, what: TrackChange) => void): () => void
  /** The system's own device is the first of its kind. Rejects where the browser does not answer. */
  devices(): Promise<MediaDevice[]>
  /** Asks the open camera for another picture size and frame rate. Rejects if the camera refuses and stays as it is. */
  resize(stream: Stream, settings: MediaSettings): Promise<void>
  /** Returns the device id of the track of this kind; empty if the browser does not report it. */
  deviceOf(stream: Stream, kind: MediaKind): string
  /** Calls the listener with the loudness, 0 to 1, in every animation frame. Returns a function that stops it. */
  measure(stream: Stream, listener: (level: number) => void): () => void
  /** Resolves with true if the browser opens camera and microphone without asking the user; false if it would ask or does not tell. */
  isAllowed(): Promise<boolean>
  /** Subscribes to changes after which opening may succeed. Returns a function that unsubscribes. */
  onDevices(listener: (change: DeviceChange) => void): () => void
  /** The browser's estimate of the downlink in Mbit/s; null if it has none. */
  downlink(): number | null
  weakCpu(): boolean
  portrait(): boolean
}

export type FrameOwner = { email: string; userSessionId: string }

/** Sends a frame that was captured before. */
export type SendFrame = (owner: FrameOwner) => Promise<void>

/** Sends camera pictures to the server and encodes them off the UI thread. */
export interface FrameCapture<Stream> {
  /** Resolves with the numbers in the server's response; null if the response has none, or nothing was sent. */
  capture(stream: Stream, kind: 'dashboard' | 'reported', owner: FrameOwner): Promise<OnlineCounts | null>
  /** Resolves with true where the browser replaces the pictures by noise. */
  areChanged(): Promise<boolean>
  /** Captures the picture now, to be sent as `reported` later or not at all. */
  keep(stream: Stream): Promise<SendFrame>
}
