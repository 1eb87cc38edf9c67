import type { ConsoleEndpointName, ConsoleEndpointOutput, ConsoleInput } from '#protocol/console.ts'
import type { ErrorCode } from '#protocol/errors.ts'
import type { HubArguments, HubEvent, HubEventArguments, HubMethod, Role } from '#protocol/hub.ts'
import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { PeerStatus } from '#protocol/peer.ts'
import type { PictureOf, PictureState } from '#protocol/picture-state.ts'
import type { EndpointInput, EndpointName, EndpointOutput } from '#protocol/rest.ts'
import type { Crop, PictureSize } from './crop.ts'
import type { CallSample, SendLimits } from './governor.ts'
import type { MediaSettings } from './quality-tier.ts'

/**
 * Interfaces of the transports that the stores use. `Stream` is the browser's MediaStream, whose type is not available in this layer.
 */

/** The browser's AbortSignal, whose type is not available in this layer. */
type Signal = { readonly aborted: boolean }

export interface Api {
  /** Sends one request to an endpoint and resolves with the parsed response. Rejects with `aborted` after `signal`. */
  request<N extends EndpointName>(name: N, input: EndpointInput<N>, signal?: Signal): Promise<EndpointOutput<N>>
}

/** The endpoints of the moderators' console. */
export interface ConsoleApi {
  request<N extends ConsoleEndpointName>(name: N, input: ConsoleInput<N>): Promise<ConsoleEndpointOutput<N>>
}

export interface Log {
  info(message: string): void
  error(message: string, cause?: unknown): void
}

export interface Clock {
  /** Milliseconds since 1970 by the client's clock. */
  now(): number
  /** Runs `task` once after `ms`. Returns a function that cancels the timer. */
  after(ms: number, task: () => void): () => void
  /** Runs `task` every `ms`. Returns a function that cancels the timer. */
  every(ms: number, task: () => void): () => void
}

/** A persistent key-value store for strings and blobs. Reads resolve with undefined if it is unavailable. */
export interface Storage<Blob> {
  get(key: string): Promise<Blob | string | undefined>
  set(key: string, value: Blob | string): Promise<void>
  /** Deletes every value but those of the `kept` keys. */
  clear(kept: readonly string[]): Promise<void>
}

/** A logout that the server may not have heard of, kept in this browser where the logout itself does not clear it. */
export interface PendingLogout {
  /** The login session that is over; empty if there is none. */
  read(): string
  /** Keeps it, and tells other tabs. */
  keep(sessionId: string): void
  /** Called when the server has heard of it. */
  settle(sessionId: string): void
  /** Runs `task` while no other tab runs one: the response to one would clear what another restores. Rejects if it is aborted before. */
  alone(signal: Signal, task: () => Promise<void>): Promise<void>
}

export type HubState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting' | 'gave-up'

export interface HubClient {
  /**
   * Connects, also after the client gave up. Rejects with `hub-unavailable`. Calls `token` at every connection attempt. A
   * connection that is lost or silent is replaced until the client gives up.
   */
  start(login: { userSessionId: string; token: () => Promise<string> }): Promise<void>
  /** Ends the connection and keeps all listeners. May be called in any state. */
  stop(): Promise<void>
  /** Empty while not connected. A new id means that the hub resumed the user over a new connection. */
  connectionId(): string
  /** Rejects with the hub's error code, or with `hub-unavailable` if it is unknown whether the invocation arrived. */
  invoke<M extends HubMethod>(method: M, ...args: HubArguments<M>): Promise<void>
  on<E extends HubEvent>(event: E, listener: (...args: HubEventArguments<E>) => void): () => void
  onState(listener: (state: HubState, reason: ErrorCode | null) => void): () => void
}

export type CameraState = 'unknown' | 'asking' | 'granted' | 'refused'

export type MediaKind = 'video' | 'audio'

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
  /** Stops every track. */
  close(stream: Stream): void
  /** Resolves once the camera gives a picture. Rejects with `camera-refused` if it gives none. */
  shows(stream: Stream): Promise<void>
  /** Stops the camera, and with it its light. Returns a stream with the same microphone, whose picture is black and of the same size. */
  darken(stream: Stream): Stream
  /** Enables or disables the tracks of this kind. */
  enable(stream: Stream, kind: MediaKind, on: boolean): void
  /** Subscribes to tracks that end by unplugging or by the system, are paused now or later, or resume. Returns a function that unsubscribes. */
  watch(stream: Stream, listener: (kind: MediaKind, what: 'ended' | 'paused' | 'resumed') => void): () => void
  /** The system's own device is the first of its kind. Rejects where the browser does not answer. */
  devices(): Promise<MediaDevice[]>
  /** Asks the open camera for another picture size and frame rate. Rejects if the camera refuses and stays as it is. */
  resize(stream: Stream, settings: MediaSettings): Promise<void>
  /** Returns the device id of the track of this kind; empty if the browser does not report it. */
  deviceOf(stream: Stream, kind: MediaKind): string
  /** Calls the listener with the loudness, 0 to 1, in every animation frame. Returns a function that stops it. */
  measure(stream: Stream, listener: (level: number) => void): () => void
  /** Resolves with true if the browser opens both without asking the user; false if it would ask or does not tell. */
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
  /** Resolves with the numbers that the server's response told; null if it told none, or nothing was sent. */
  capture(stream: Stream, kind: 'dashboard' | 'reported', owner: FrameOwner): Promise<OnlineCounts | null>
  /** Resolves with true where the browser replaces the pictures by noise. */
  areChanged(): Promise<boolean>
  /** Captures the picture now, to be sent as `reported` later or not at all. */
  keep(stream: Stream): Promise<SendFrame>
}

/** Makes profile pictures of files and of the camera, off the UI thread. All reject with `encode-failed` for what cannot be decoded. */
export interface PictureEditor<Stream, Blob> {
  /** Returns the size of the upright picture. */
  measure(picture: Blob): Promise<PictureSize>
  /** Returns the square as a small JPEG. */
  crop(picture: Blob, crop: Crop): Promise<Blob>
  /** Returns what the camera shows now. Rejects with `camera-refused` without a camera. */
  still(stream: Stream): Promise<Blob>
}

/** Events of one peer connection, all of the match that it was opened for. */
export type PeerEvent<Stream> =
  | { type: 'description'; data: string; kind: 'offer' | 'answer' }
  | { type: 'candidate'; data: string }
  | { type: 'remote-stream'; stream: Stream }
  /** The peer's video track has arrived and carries media. */
  | { type: 'video-arrived' }
  | { type: 'connection'; state: 'connected' | 'disconnected' | 'failed' }
  | { type: 'peer-status'; status: PeerStatus }
  | { type: 'fault'; code: ErrorCode; message: string }

export type IceServers = { urls: string[]; username?: string; credential?: string }[]

export interface PeerConnection<Stream> {
  /** Applies the peer's offer or answer, and then the candidates that arrived before it. */
  accept(data: string): void
  addCandidate(data: string): void
  /** For the Caller: makes a new offer with new ICE credentials. */
  restartIce(): void
  /** Sets the ICE servers for the next ICE restart of either side. */
  takeServers(servers: IceServers): void
  /** Replaces the sent tracks by those of this stream. Rejects with `peer-failed`. */
  replaceTracks(local: Stream): Promise<void>
  /** Reads the statistics once. Rejects if the connection is closed. */
  sample(): Promise<CallSample>
  limit(limits: SendLimits): Promise<void>
  /** Asks the browser to measure what the network carries. */
  measure(): void
  /** Lets the browser send the full size again that a slow network or device allowed no longer. */
  restoreSize(): Promise<void>
  /** Plays what is received at least this late; null leaves it to the browser. */
  delayPlayback(delayMs: number | null): void
  /** Tells the peer what is sent and what is wanted, now or as soon as it can be reached. */
  tell(status: PeerStatus): void
  /** Closes the connection and stops the remote tracks. The listener is not called afterwards. */
  close(): void
}

export type PeerListener<Stream> = (event: PeerEvent<Stream>) => void

export type PeerOptions<Stream> = {
  servers: IceServers
  local: Stream
  /** Allows relay candidates only, so that the peer does not receive this network's address. */
  relayOnly: boolean
}

/** Prepared connections for both roles: the offer is created and candidates are gathered before there is a peer. */
export interface PreparedPeer<Stream> {
  /** Returns the connection for this role and replays its earlier events to `listener`. May be called once. */
  take(role: Role, listener: PeerListener<Stream>): PeerConnection<Stream>
  /** Closes the connections that were not taken. */
  close(): void
}

export interface PeerConnections<Stream> {
  /** Runs a hidden local call once, so that the browser's set-up for a first call is done. Never rejects. */
  warmUp(local: Stream): Promise<void>
  prepare(options: PeerOptions<Stream>): PreparedPeer<Stream>
  /** Opens the connection of this role alone, without a preparation before. */
  open(role: Role, options: PeerOptions<Stream>, listener: PeerListener<Stream>): PeerConnection<Stream>
}

/** A video that is looked at again and again: the time until the first look, and from the start of one to that of the next. */
export type RoutineLook<Video> = { video: Video; of: PictureOf; inMs: number; everyMs: number }

/** A look of a routine, and its place there. Times are since the start of the routine. `flagged` is null if there was no new picture. */
export type EndedRoutineLook = {
  index: number
  startedMs: number
  endedMs: number
  flagged: boolean | null
  /** What the looks at this picture show over time; null while they do not say enough. */
  state: PictureState | null
}

/** Looks at pictures for nudity, on this device alone. `Video` is the browser's HTMLVideoElement. */
export interface PictureLooks<Video> {
  /**
   * Loads the model in a worker of its own. Resolves after the first look, which took `firstLookMs`. Rejects with `curtain-no-simd`,
   * `curtain-model-missing`, `curtain-model-damaged` or `curtain-too-slow`.
   */
  start(): Promise<{ model: string; firstLookMs: number }>
  /** Looks at what the video shows now. `score` is 0 to 1. Resolves with null for a video that has no picture now. */
  look(video: Video, of: PictureOf): Promise<{ flagged: boolean; score: number; state: PictureState | null } | null>
  /**
   * Looks at the videos at their times without work for the page. Resolves with the looks when one is flagged or finds no new picture, when
   * no other is due within `forMs`, or after `interrupt`; with null where the browser cannot do it.
   */
  keepLooking(routine: readonly RoutineLook<Video>[], forMs: number): Promise<EndedRoutineLook[] | null>
  /** Ends `keepLooking`. May be called in any state. */
  interrupt(): void
  /** Ends the worker. May be called in any state. */
  stop(): void
}

/** Reads light and changes of a picture, off the UI thread. `Video` is the browser's HTMLVideoElement. */
export interface PictureReader<Video> {
  /**
   * Reads what the video shows now. Resolves with what the readings show so far: `fine` with the first one of another track; null while they
   * do not say enough, without a new frame, and in browsers that cannot read pictures in a worker.
   */
  read(video: Video, of: PictureOf): Promise<PictureState | null>
}

/** Returns whether the browser or the system asks pages for little data. */
export type WantsLessData = () => boolean

export interface PageState {
  hidden(): boolean
  /** Subscribes for the lifetime of the page. */
  onVisibility(listener: () => void): void
  /** Returns the milliseconds that this thread spent in tasks over 50 ms since the last call; 0 if the browser does not report them. */
  takeLongTaskMs(): number
}

/** Whether a page should keep itself up to date. */
export interface PageAttention {
  /** `offline`: visible, but the browser is known to be offline. */
  state(): 'awake' | 'hidden' | 'offline'
  /** Subscribes to what may have changed the state. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
}

/** Notifications of the system. */
export interface Notifier {
  /** `default`: the user has not been asked. Null if the browser has no notifications. */
  permission(): 'default' | 'granted' | 'denied' | null
  /** Asks the user. Only after an action of theirs. */
  ask(): Promise<'default' | 'granted' | 'denied'>
  /** Shows a notification that brings this tab to the front when it is pressed. Returns a function that closes it. */
  show(texts: { title: string; body: string }): () => void
}

/** `match`: a match was found. `message`: a chat message arrived. */
export type Sound = 'match' | 'message'
export type PlaySound = (sound: Sound) => void

export interface ChatCodec {
  encodeChat(text: string): Promise<string>
  decodeChat(text: string): Promise<string>
}

/** A user as the identity provider describes them. */
export type Identity = {
  source: 'Google' | 'Facebook'
  accessToken: string
  emailAddress: string
  firstName: string
  lastName: string
  profilePictureUrl: string
}

/** The window of a provider's sign-in, opened in the click. `Window` is the browser's, whose type is not available in this layer. */
export interface SignInWindow<Window> {
  readonly window: Window
  /** Resolves or rejects as `work` does; rejects with `sign-in-cancelled` if the user closes the window before. */
  whileOpen<T>(work: Promise<T>): Promise<T>
  close(): void
}

/** Called in a click. Resolves with null if the browser blocks the window. */
export type OpenSignInWindow<Window> = () => Promise<SignInWindow<Window> | null>

export interface IdentityProvider<Window> {
  /** Shows the provider's page in the window. Rejects with `popup-blocked`, `sign-in-cancelled` or `unknown`. The caller closes the window. */
  signIn(popup: SignInWindow<Window>): Promise<Identity>
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
