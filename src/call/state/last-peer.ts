import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { ReportType } from '#protocol/hub.ts'
import type { ReportDetails } from '#protocol/reports.ts'
import type { Clock } from '../../platform/clock.ts'
import type { CallEffect, CallState, Match } from '../rules/call-state.ts'

/** How long the peer of a call that is over can be reported. */
export const LAST_PEER_MS = 120_000

export type LastPeerStore = ReturnType<typeof createLastPeerStore>

type Ports = {
  clock: Pick<Clock, 'after'>
  state: ReadonlySignal<CallState>
  send: (report: CallEffect & { type: 'report' }) => void
}

/** The peer of the last call. The user can report a peer who left before the report dialog could be opened. */
export function createLastPeerStore({ clock, state, send }: Ports) {
  const match = signal<Match | null>(null)
  const isOpen = signal(false)
  let cancel = () => {}
  /** LAST_PEER_MS have passed while the dialog is open. */
  let isLate = false
  let before = state.peek()

  function forget(): void {
    cancel()
    isLate = false
    match.value = null
    isOpen.value = false
  }

  state.subscribe((now) => {
    const left = before
    before = now
    // In the phase `reporting` the call's own report dialog is open.
    if (left.phase !== 'in-call' || now.phase === 'in-call' || now.phase === 'reporting') return
    // An open report dialog keeps its peer.
    if (isOpen.peek()) return
    forget()
    match.value = left
    cancel = clock.after(LAST_PEER_MS, () => {
      if (isOpen.peek()) isLate = true
      else forget()
    })
  })

  return {
    /** The match whose peer can be reported; null if there is none. */
    match: match as ReadonlySignal<Match | null>,
    isOpen: isOpen as ReadonlySignal<boolean>,
    open(): void {
      isOpen.value = match.peek() !== null
    },
    close(): void {
      isOpen.value = false
      if (isLate) forget()
    },
    report(report: ReportType, details: ReportDetails | undefined): void {
      const reported = match.peek()
      forget()
      if (!reported) return
      const { matchId, peerConnectionId } = reported
      send({ type: 'report', matchId, peerConnectionId, report, details })
    },
    /** Called for each report, so that a reported peer is not offered again for a report. */
    reported(matchId: string): void {
      if (match.peek()?.matchId === matchId) forget()
    },
    forget,
  }
}
