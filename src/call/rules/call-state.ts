import type { ReportType, Role, Shared } from '#protocol/hub.ts'
import type { ReportDetails } from '#protocol/reports.ts'

/** The words of the call machine: its states, the events that it takes, and the effects that it asks for. */

type Peer = { nickName: string; alias: string; userSessionId: string }
/**
 * `peerConnectionId` is the peer's connection to the hub; `peer` is null until the hub has named the peer. `shared` is
 * what the two users have in common; an older server does not send it.
 */
export type Match = {
  matchId: string
  role: Role
  peerConnectionId: string
  peer: Peer | null
  shared?: Shared | undefined
}

/** Why matching and chat ended and the user is back on the dashboard; 'exit' and 'cancel' are the user's own choice. */
export type EndReason =
  | 'exit'
  | 'cancel'
  | 'not-allowed'
  | 'hub-unavailable'
  | 'replaced'
  | 'camera-refused'
  | 'relay-unavailable'

/** What a match waits for before the peer's video is here. The Caller starts with the answer, the Callee with the offer. */
export type SetupStep = 'offer' | 'answer' | 'connection' | 'picture'

/** Matched; the peer connection is being made. `deadline` is the time by which the peer's video must be here. */
export type Connecting = { phase: 'connecting'; awaits: SetupStep; deadline: number } & Match

/**
 * The call ended while the report dialog was open. The dialog stays open, so that a peer cannot prevent a report by leaving.
 * `isWarned` is true if the peer has reported this user: the phase `warned` follows when the dialog closes. `barred` is kept for that phase.
 */
export type Reporting = { phase: 'reporting'; isWarned?: true; barred?: true } & Match

export type CallState =
  | { phase: 'idle' }
  /** Checking the block status, loading lists, connecting to the hub. */
  | { phase: 'preparing' }
  | { phase: 'searching' }
  | Connecting
  /** The peer's video is here. `nextIn` counts the seconds until Next and Exit are allowed. `isForgotten`: the hub knows the match no more. */
  | ({ phase: 'in-call'; nextIn: number; isReportOpen?: true; isForgotten?: true } & Match)
  | Reporting
  /**
   * Reported by the peer: the call is over, and the warning can be acknowledged in `understoodIn` seconds. A user who
   * is `barred` may not search again after it.
   */
  | { phase: 'warned'; understoodIn: number; barred?: true }
  | { phase: 'ended'; reason: EndReason }

export type Matched = Extract<CallState, { phase: 'connecting' | 'in-call' }>

/** Whether there is a match whose peer connection is open. */
export function isMatched(state: CallState): state is Matched {
  return state.phase === 'connecting' || state.phase === 'in-call'
}

/** Times (`at`) are milliseconds of one clock. */
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
  /** The peer connection needs new addresses: it failed, the network changed, or media stopped. */
  | { type: 'connection-broken'; matchId: string }
  /** No restart helped. */
  | { type: 'connection-lost'; matchId: string }
  | { type: 'match-timed-out'; matchId: string }
  | { type: 'match-terminated'; matchId: string }
  | { type: 'reported-by-peer'; matchId: string }
  | { type: 'tick' }
  | { type: 'next-pressed' }
  /** The peer's picture is black, or shows nobody: Next and Exit need not wait. */
  | { type: 'peer-missed' }
  /** The report dialog was opened, or closed without a report. */
  | { type: 'report-opened' }
  | { type: 'report-dropped' }
  | { type: 'report-chosen'; report: ReportType; details?: ReportDetails | undefined }
  | { type: 'understood-pressed' }
  | { type: 'exit-pressed' }
  /** In the report dialog, which does not wait as Exit does. */
  | { type: 'leave-now-pressed' }
  | { type: 'cancel-pressed' }
  /** The hub has a new connection for this user: the queue entry of the old one is gone. */
  | { type: 'hub-reconnected' }
  /** The hub knows this match no more. `isBroken`: nothing arrives from the peer either. */
  | { type: 'match-forgotten'; matchId: string; isBroken: boolean }
  /** The hub client gave up during a call; the user wants the hub back. */
  | { type: 'reconnect-pressed' }
  /** The pages of the call were left by other means. */
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
