import type { ReportType, Role, Shared } from '#protocol/hub.ts'
import type { ReportDetails } from '#protocol/reports.ts'

/** The types of the call machine: its states, the events that it handles, and the effects that it requests. */

type Peer = { nickName: string; alias: string; userSessionId: string }
/**
 * `peerConnectionId` is the peer's connection to the hub. `peer` is null until the hub has named the peer. `shared` is
 * what the two users share; an older server does not send it.
 */
export type Match = {
  matchId: string
  role: Role
  peerConnectionId: string
  peer: Peer | null
  shared?: Shared | undefined
}

/** Why the visit ended and the user is back on the dashboard. 'exit' and 'cancel' are the user's choice. */
export type EndReason =
  | 'exit'
  | 'cancel'
  | 'not-allowed'
  | 'hub-unavailable'
  | 'replaced'
  | 'camera-refused'
  | 'relay-unavailable'

/** What the match waits for before the peer's video: the Caller first for the answer, the Callee for the offer. */
export type SetupStep = 'offer' | 'answer' | 'connection' | 'picture'

/** Matched; the peer connection is being made. `deadline` is the time by which the peer's video must be here. */
export type Connecting = { phase: 'connecting'; awaits: SetupStep; deadline: number } & Match

/**
 * The call ended while the report dialog was open. The dialog stays open, so that a peer cannot prevent a report by leaving. `isWarned`:
 * the peer has reported this user, and the phase `warned` follows when the dialog closes. `barred` is passed on to that phase.
 */
export type Reporting = { phase: 'reporting'; isWarned?: true; barred?: true } & Match

export type CallState =
  | { phase: 'idle' }
  /** Checking the block status, loading lists, connecting to the hub. */
  | { phase: 'preparing' }
  | { phase: 'searching' }
  | Connecting
  /** The peer's video is here. `nextIn`: seconds until Next and Exit are allowed. `isForgotten`: the hub no longer knows the match. */
  | ({ phase: 'in-call'; nextIn: number; isReportOpen?: true; isForgotten?: true } & Match)
  | Reporting
  /**
   * The peer has reported this user, and the call is over. The warning can be acknowledged in `understoodIn` seconds. A
   * user who is `barred` cannot search again afterwards.
   */
  | { phase: 'warned'; understoodIn: number; barred?: true }
  | { phase: 'ended'; reason: EndReason }

export type Matched = Extract<CallState, { phase: 'connecting' | 'in-call' }>

/** Whether there is a match with an open peer connection. */
export function isMatched(state: CallState): state is Matched {
  return state.phase === 'connecting' || state.phase === 'in-call'
}

/** `at` is a time in milliseconds; all events use the same clock. */
export type CallEvent =
  | { type: 'started' }
  | { type: 'ready' }
  | { type: 'failed'; reason: Exclude<EndReason, 'exit' | 'cancel'> }
  | {
      type: 'match-found'
      matchId: string
      role: Role
      peerConnectionId: string
      at: number
      shared?: Shared | undefined
    }
  | { type: 'peer-named'; peer: Peer }
  | { type: 'description-received'; matchId: string; data: string; at: number }
  | { type: 'description-made'; matchId: string; kind: 'offer' | 'answer'; data: string; at: number }
  | { type: 'peer-connected'; matchId: string; at: number }
  | { type: 'video-arrived'; matchId: string }
  /** The peer connection needs an ICE restart: it failed, the network changed, or media stopped. */
  | { type: 'connection-broken'; matchId: string }
  /** No restart helped. */
  | { type: 'connection-lost'; matchId: string }
  | { type: 'match-timed-out'; matchId: string }
  | { type: 'match-terminated'; matchId: string }
  | { type: 'reported-by-peer'; matchId: string }
  | { type: 'tick' }
  | { type: 'next-pressed' }
  /** The peer's picture is black or shows nobody: Next and Exit are allowed at once. */
  | { type: 'peer-missed' }
  /** The report dialog was opened, or closed without a report. */
  | { type: 'report-opened' }
  | { type: 'report-dropped' }
  | { type: 'report-chosen'; report: ReportType; details?: ReportDetails | undefined }
  | { type: 'understood-pressed' }
  | { type: 'exit-pressed' }
  /** "Leave now" in the report dialog, which is allowed without the wait of Exit. */
  | { type: 'leave-now-pressed' }
  | { type: 'cancel-pressed' }
  /** This user is back at the hub over a new connection: the old connection's queue entry is gone. */
  | { type: 'hub-reconnected' }
  /** The hub no longer knows this match. `isBroken`: no media arrives from the peer either. */
  | { type: 'match-forgotten'; matchId: string; isBroken: boolean }
  /** The hub client gave up during a call; the user wants the hub back. */
  | { type: 'reconnect-pressed' }
  /** The user left the pages of the call without Exit or Cancel, for example with the Back button. */
  | { type: 'left' }

export type CallEffect =
  | { type: 'prepare' }
  | { type: 'join-queue' }
  | { type: 'introduce'; peerConnectionId: string; matchId: string }
  | { type: 'open-peer'; matchId: string; role: Role }
  | { type: 'accept-description'; data: string }
  | { type: 'send-description'; matchId: string; peerConnectionId: string; kind: 'offer' | 'answer'; data: string }
  | { type: 'restart-ice' }
  /** `missing` is the step of the setup that the match waits for. */
  | { type: 'start-match-timer'; matchId: string; ms: number; missing: SetupStep }
  | { type: 'stop-match-timer' }
  | { type: 'start-ticking' }
  | { type: 'stop-ticking' }
  | { type: 'report-connected'; matchId: string }
  /** Asks the hub whether it still knows the match. */
  | { type: 'confirm-match'; matchId: string }
  | { type: 'terminate'; matchId: string }
  | {
      type: 'report'
      matchId: string
      peerConnectionId: string
      report: ReportType
      details?: ReportDetails | undefined
    }
  /** Takes a picture of the peer for a report that may follow. */
  | { type: 'keep-evidence' }
  | { type: 'forget-evidence' }
  /** Sends a picture of the user's own camera. */
  | { type: 'capture-evidence' }
  | { type: 'close-peer' }
  | { type: 'notify-peer-left'; nickName: string }
  | { type: 'notify-connection-lost'; nickName: string }
  | { type: 'reconnect' }
  | { type: 'go'; to: 'buzzing' | 'chat' | 'dashboard' }
  /** Shows why the visit ended, and the dashboard. */
  | { type: 'leave'; reason: EndReason }

export type CallWaits = { matchTimeoutMs: number; nextWaitSeconds: number; understoodWaitSeconds: number }
