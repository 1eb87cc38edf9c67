import type { ErrorCode } from '#protocol/errors.ts'
import type { HubArguments, HubEvent, HubEventArguments, HubMethod, Role } from '#protocol/hub.ts'
import type { CallInput, CallName, CallOutput } from '#protocol/rest.ts'
import type { MediaSettings } from './quality-tier.ts'

/**
 * What the stores ask of the outside world. `Stream` stands for the browser's MediaStream, which this layer does not know.
 */

/** The browser's AbortSignal, which this layer does not know. */
type Signal = { readonly aborted: boolean }

export interface Api {
  /** `signal` gives the call up when nobody waits for its answer any more: it rejects with `aborted`. */
  call<N extends CallName>(name: N, input: CallInput<N>, signal?: Signal): Promise<CallOutput<N>>
}

export interface Log {
  info(message: string): void
  error(message: string, cause?: unknown): void
}

export interface Clock {
  /** Milliseconds since 1970, by the client's own clock. */
  now(): number
  /** Runs `task` once after `ms`; the answer cancels it. */
  after(ms: number, task: () => void): () => void
  /** Runs `task` every `ms`; the answer stops it. */
  every(ms: number, task: () => void): () => void
}

/** A key-value store for strings and blobs that outlives the page. Reads answer undefined where it is unavailable. */
export interface Storage<Blob> {
  get(key: string): Promise<Blob | string | undefined>
  set(key: string, value: Blob | string): Promise<void>
  clear(): Promise<void>
}

export type HubState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting' | 'gave-up'

export interface HubClient {
  /**
   * Connects, also again after the client gave up; rejects with `hub-unavailable`. Asks `token` at every connection
   * attempt. A connection that is lost or goes silent is replaced until the client gives up.
   */
  start(login: { userSessionId: string; email: string; token: () => Promise<string> }): Promise<void>
  /** Ends the connection and forgets the listeners of nobody; safe in any state. */
  stop(): Promise<void>
  /** Empty while not connected. A new one means that the hub resumes this user, not this connection. */
  connectionId(): string
  /** Rejects with the code of the hub's refusal, or with `hub-unavailable` where nobody knows whether it arrived. */
  invoke<M extends HubMethod>(method: M, ...args: HubArguments<M>): Promise<void>
  on<E extends HubEvent>(event: E, listener: (...args: HubEventArguments<E>) => void): () => void
  onState(listener: (state: HubState, reason: ErrorCode | null) => void): () => void
}

export type CameraState = 'unknown' | 'asking' | 'granted' | 'refused'

export interface Camera<Stream> {
  /** True when the browser would open camera and microphone without asking. */
  allowed(): Promise<boolean>
  /** Opens camera and microphone, dropping minimums that the camera cannot meet. Rejects with `camera-refused`. */
  open(settings: MediaSettings): Promise<Stream>
  /** Stops every track. */
  close(stream: Stream): void
  /** Downlink in Mbit/s by the browser's estimate, null where it has none. */
  downlink(): number | null
  weakCpu(): boolean
  portrait(): boolean
}

/** Sends one camera picture to the server without the pixels touching the UI thread. */
export interface FrameCapture<Stream> {
  capture(
    stream: Stream,
    kind: 'dashboard' | 'reported',
    owner: { email: string; userSessionId: string },
  ): Promise<void>
}

/** What one peer connection reports; every event is of the session it was opened for. */
export type PeerEvent<Stream> =
  | { type: 'description'; data: string; kind: 'offer' | 'answer' }
  | { type: 'candidate'; data: string }
  | { type: 'remote-stream'; stream: Stream }
  /** The peer's video track is here and media flows. */
  | { type: 'video-arrived' }
  | { type: 'connection'; state: 'connected' | 'disconnected' | 'failed' }
  | { type: 'fault'; code: ErrorCode; message: string }

export type IceServers = { urls: string[]; username?: string; credential?: string }[]

export interface PeerConnection {
  /** Caller: makes and reports the offer. */
  offer(): void
  /** Takes the peer's offer or answer; candidates that came before it are applied after it. */
  accept(data: string): void
  addCandidate(data: string): void
  /** Caller: offers again with new ICE credentials. */
  restartIce(): void
  /** Clears handlers, stops and releases remote tracks, closes. Nothing is reported afterwards. */
  close(): void
}

export interface PeerConnections<Stream> {
  open(options: {
    role: Role
    servers: IceServers
    local: Stream
    listener: (event: PeerEvent<Stream>) => void
  }): PeerConnection
}

export interface ChatCodec {
  encodeChat(text: string): Promise<string>
  decodeChat(text: string): Promise<string>
}

/** A person as the identity provider describes them. */
export type Identity = {
  source: 'Google' | 'Facebook'
  accessToken: string
  emailAddress: string
  firstName: string
  lastName: string
  profilePictureUrl: string
}

export interface IdentityProvider {
  /** Opens the provider's popup. Rejects with popup-blocked, sign-in-cancelled or unknown. */
  signIn(): Promise<Identity>
}

export type DeviceInfo = {
  userAgent: string
  os: string
  browser: string
  device: string
  os_version: string
  browser_version: string
  deviceType: 'mobile' | 'tablet' | 'desktop' | 'unknown'
  orientation: 'portrait' | 'landscape' | 'unknown'
}
