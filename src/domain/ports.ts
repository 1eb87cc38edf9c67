import type { ConsoleEndpointName, ConsoleEndpointOutput, ConsoleInput } from '#protocol/console.ts'
import type { ErrorCode } from '#protocol/errors.ts'
import type { HubArguments, HubEvent, HubEventArguments, HubMethod, Role } from '#protocol/hub.ts'
import type { EndpointInput, EndpointName, EndpointOutput } from '#protocol/rest.ts'
import type { CallSample, SendLimits } from './governor.ts'
import type { MediaSettings } from './quality-tier.ts'

/**
 * What the stores ask of the outside world. `Stream` stands for the browser's MediaStream, which this layer does not know.
 */

/** The browser's AbortSignal, which this layer does not know. */
type Signal = { readonly aborted: boolean }

export interface Api {
  /** `signal` gives the call up when nobody waits for its answer any more: it rejects with `aborted`. */
  request<N extends EndpointName>(name: N, input: EndpointInput<N>, signal?: Signal): Promise<EndpointOutput<N>>
}

/** The calls of the moderators' console. */
export interface ConsoleApi {
  request<N extends ConsoleEndpointName>(name: N, input: ConsoleInput<N>): Promise<ConsoleEndpointOutput<N>>
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
  start(login: { userSessionId: string; token: () => Promise<string> }): Promise<void>
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

export type MediaKind = 'video' | 'audio'

/** A camera, microphone or speaker that can be chosen. Labels are empty before the first permission. */
export type MediaDevice = { kind: 'camera' | 'microphone' | 'speaker'; id: string; label: string }

/** Which devices are wanted; an empty id leaves it to the browser. `facing` tells a phone's two cameras apart. */
export type MediaChoice = { camera: string; microphone: string; facing: 'user' | 'environment' }

/** A device came or went, a permission was given, or the page is looked at again. */
export type DeviceChange = 'devices' | 'permission' | 'shown'

export interface Camera<Stream> {
  /**
   * Opens camera and microphone, dropping minimums that the camera cannot meet, and a device that is gone. Rejects with
   * `camera-refused`, whose details name the `trouble`.
   */
  open(settings: MediaSettings, choice: MediaChoice): Promise<Stream>
  /** A new stream with a newly opened track of this kind in place of the one in `stream`, which is stopped first: many phones open one camera at a time. */
  reopen(kind: MediaKind, stream: Stream, settings: MediaSettings, choice: MediaChoice): Promise<Stream>
  /** Stops every track. */
  close(stream: Stream): void
  /** Sends the sound, the picture, or nothing in their place. */
  enable(stream: Stream, kind: MediaKind, on: boolean): void
  /** Hears when a track is taken away by unplugging or by the system, paused, or given back; the answer ends that. */
  watch(stream: Stream, listener: (kind: MediaKind, what: 'ended' | 'paused' | 'resumed') => void): () => void
  devices(): Promise<MediaDevice[]>
  /** The id of the device that this part of the stream comes from; empty where the browser does not tell. */
  deviceOf(stream: Stream, kind: MediaKind): string
  /** Tells the loudness of the sound, from 0 to 1, as often as the screen is drawn; the answer ends that. */
  measure(stream: Stream, listener: (level: number) => void): () => void
  /** Hears of what may make another try worth while; the answer ends that. */
  onDevices(listener: (change: DeviceChange) => void): () => void
  /** Downlink in Mbit/s by the browser's estimate, null where it has none. */
  downlink(): number | null
  weakCpu(): boolean
  portrait(): boolean
}

export type FrameOwner = { email: string; userSessionId: string }

/** Sends a frame that was taken before. */
export type SendFrame = (owner: FrameOwner) => Promise<void>

/** Sends one camera picture to the server without the pixels touching the UI thread. */
export interface FrameCapture<Stream> {
  capture(stream: Stream, kind: 'dashboard' | 'reported', owner: FrameOwner): Promise<void>
  /** Takes the picture now, to send it as `reported` later or to forget it. */
  keep(stream: Stream): Promise<SendFrame>
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

export interface PeerConnection<Stream> {
  /** Takes the peer's offer or answer; candidates that came before it are applied after it. */
  accept(data: string): void
  addCandidate(data: string): void
  /** Caller: offers again with new ICE credentials. */
  restartIce(): void
  /** From the next ICE restart on these servers help, whichever side asks for it. */
  takeServers(servers: IceServers): void
  /** Sends the tracks of this stream in place of those of the same kind. Rejects with `peer-failed`. */
  replaceTracks(local: Stream): Promise<void>
  /** Rejects when the connection is closed. */
  sample(): Promise<CallSample>
  limit(limits: SendLimits): Promise<void>
  /** Clears handlers, stops and releases remote tracks, closes. Nothing is reported afterwards. */
  close(): void
}

export type PeerListener<Stream> = (event: PeerEvent<Stream>) => void

export type PeerOptions<Stream> = {
  servers: IceServers
  local: Stream
  /** Lets nothing but a relay know the address of this network. */
  relayOnly: boolean
}

/** Connections for either role that have done all they can before there is a peer: the offer is made, addresses are found. */
export interface PreparedPeer<Stream> {
  /** The connection for this role, which from now on reports to `listener`, at first what it had to say before. Once. */
  take(role: Role, listener: PeerListener<Stream>): PeerConnection<Stream>
  /** Closes what was not taken. */
  close(): void
}

export interface PeerConnections<Stream> {
  /** Calls oneself once, unseen and without the network: what the browser sets up for its first call, it has then. Never rejects. */
  warmUp(local: Stream): Promise<void>
  prepare(options: PeerOptions<Stream>): PreparedPeer<Stream>
}

export interface PageState {
  hidden(): boolean
  /** For as long as the page lives. */
  onVisibility(listener: () => void): void
  /** Milliseconds that this thread spent in tasks over 50 ms since it was last asked; 0 where the browser does not tell. */
  takeLongTaskMs(): number
}

/** Somebody was found; the peer has written. */
export type Sound = 'match' | 'message'
export type PlaySound = (sound: Sound) => void

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
