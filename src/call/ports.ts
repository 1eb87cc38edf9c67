import type { ErrorCode } from '#protocol/errors.ts'
import type { HubArguments, HubEvent, HubEventArguments, HubMethod, Role } from '#protocol/hub.ts'
import type { PeerStatus } from '#protocol/peer.ts'
import type { IceServers } from '../platform/rules/ice-servers.ts'
import type { CallSample } from './rules/call-reading.ts'
import type { SendLimits } from './rules/send-ladder.ts'

export type HubState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting' | 'gave-up'

export interface HubClient {
  /**
   * Connects, also after the client gave up. Rejects with `hub-unavailable`. Calls `token` at every connection attempt.
   * Later replaces each connection that is lost or silent, until the client gives up.
   */
  start(login: { userSessionId: string; token: () => Promise<string> }): Promise<void>
  /** Ends the connection and keeps all listeners. May be called in any state. */
  stop(): Promise<void>
  /** Empty while not connected. A new id means that the hub resumed the user over a new connection. */
  connectionId(): string
  /** Rejects with the hub's error code; with `hub-unavailable` if it is unknown whether the invocation arrived. */
  invoke<M extends HubMethod>(method: M, ...args: HubArguments<M>): Promise<void>
  on<E extends HubEvent>(event: E, listener: (...args: HubEventArguments<E>) => void): () => void
  onState(listener: (state: HubState, reason: ErrorCode | null) => void): () => void
}

/** Events of a peer connection. They belong to the match for which the connection was opened. */
export type PeerEvent<Stream> =
  | { type: 'description'; data: string; kind: 'offer' | 'answer' }
  | { type: 'candidate'; data: string }
  | { type: 'remote-stream'; stream: Stream }
  /** The peer's video track has arrived and receives media. */
  | { type: 'video-arrived' }
  | { type: 'connection'; state: 'connected' | 'disconnected' | 'failed' }
  | { type: 'peer-status'; status: PeerStatus }
  | { type: 'fault'; code: ErrorCode; message: string }

export interface PeerConnection<Stream> {
  /** Applies the peer's offer or answer, and then the peer's candidates that arrived before it. */
  accept(data: string): void
  addCandidate(data: string): void
  /** For the Caller: makes a new offer with new ICE credentials. */
  restartIce(): void
  /** Sets the ICE servers for the next ICE restart of either side. */
  takeServers(servers: IceServers): void
  /** Replaces the sent tracks by those of this stream. Rejects with `peer-failed`. */
  replaceTracks(local: Stream): Promise<void>
  /** Rejects if the connection is closed. */
  sample(): Promise<CallSample>
  limit(limits: SendLimits): Promise<void>
  /** Asks the browser to measure the bandwidth of the network. */
  measure(): void
  /** Makes the browser return to the full size of the picture after the network or the device was slow. */
  restoreSize(): Promise<void>
  /** Delays playback by at least `delayMs`; null leaves the delay to the browser. */
  delayPlayback(delayMs: number | null): void
  /** Sends the status to the peer now, or as soon as the data channel is open. */
  tell(status: PeerStatus): void
  /** Closes the connection and stops the remote tracks. Afterwards the listener is not called. */
  close(): void
}

export type PeerListener<Stream> = (event: PeerEvent<Stream>) => void

export type PeerOptions<Stream> = {
  servers: IceServers
  local: Stream
  /** Allows relay candidates only, so that the peer does not receive this network's address. */
  relayOnly: boolean
}

/** Prepared connections for both roles: the offer is made and candidates are gathered before the match. */
export interface PreparedPeer<Stream> {
  /** Returns the connection for this role and replays its earlier events to `listener`. May be called once. */
  take(role: Role, listener: PeerListener<Stream>): PeerConnection<Stream>
  /** Closes the connections that were not taken. */
  close(): void
}

export interface PeerConnections<Stream> {
  /** Runs a hidden call within the page once, so that the browser's set-up of a first call is done. Never rejects. */
  warmUp(local: Stream): Promise<void>
  prepare(options: PeerOptions<Stream>): PreparedPeer<Stream>
  /** Opens an unprepared connection. */
  open(role: Role, options: PeerOptions<Stream>, listener: PeerListener<Stream>): PeerConnection<Stream>
}

/** Notifications of the system. */
export interface Notifier {
  /** `default`: the user has not been asked. Null if the browser has no notifications. */
  permission(): 'default' | 'granted' | 'denied' | null
  /** Asks the user for the permission. Call it only after an action of the user. */
  ask(): Promise<'default' | 'granted' | 'denied'>
  /** Shows a notification that brings this tab to the front when it is pressed. Returns a function that closes it. */
  show(texts: { title: string; body: string }): () => void
}
