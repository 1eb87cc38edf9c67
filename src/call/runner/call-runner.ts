import { AppError, toAppError } from '#protocol/errors.ts'
import { onPageWake } from '../../platform/io/page-wakes.ts'
import { createHubClient } from '../hub/hub-client.ts'
import type { HubSites } from '../hub/hub-sites.ts'
import { createPeerConnections } from '../peer/peer-connections.ts'
import { preferredCodecs } from '../peer/preferred-codecs.ts'
import type { CallEffect, EndReason } from '../rules/call-state.ts'
import type { CallStores } from '../use-call.ts'
import { type CallPorts, type Dispatch, type EffectHandlers, ownerOf, runEffect } from './effect-handlers.ts'
import { createHubEffects, createHubEvents } from './hub-exchange.ts'
import {
  type ConnectionReport,
  createConnectionReport,
  createExperienceReport,
  createMatchSpans,
} from './match-reports.ts'
import { createCallWatch, createPeerEffects } from './peer-effects.ts'
import { createPendingInvocations } from './pending-invocations.ts'
import { createPendingReports } from './pending-reports.ts'
import { createReadyPeer } from './ready-peer.ts'
import { createSearchEffects, loadServers } from './search-effects.ts'

type Ports = Pick<CallPorts, 'api' | 'clock' | 'experience' | 'log' | 'navigation' | 'storage'>

/** Builds the call runner with its hub client and peer connections. One chunk, loaded ahead of need. */
export function createCall(ports: Ports, stores: CallStores, sites: HubSites, weakCpu: boolean): CallRunner {
  const { clock, log } = ports
  const hub = createHubClient({ sites, log, clock, onWake: onPageWake })
  const peers = createPeerConnections(preferredCodecs(weakCpu))
  return createCallRunner({ ...ports, hub, peers, onNetworkChange }, stores)
}

type NavigatorWithConnection = Navigator & { readonly connection?: EventTarget & { readonly type?: string } }

/** Calls `listener` when the device changes to another network or is back on one. The result unsubscribes. */
function onNetworkChange(listener: () => void): () => void {
  const { connection } = navigator as NavigatorWithConnection
  let kind = connection?.type
  // The event also fires when only the browser's estimate of the speed changes.
  function changed(): void {
    if (connection?.type === kind) return
    kind = connection?.type
    if (kind !== 'none') listener()
  }
  connection?.addEventListener('change', changed)
  addEventListener('online', listener)
  return () => {
    connection?.removeEventListener('change', changed)
    removeEventListener('online', listener)
  }
}

export type CallRunner = ReturnType<typeof createCallRunner>

/** Carries out the effects of the call machine on the hub, the peer connection, pictures, timers and screens. */
export function createCallRunner(ports: CallPorts, stores: CallStores) {
  const { clock, log, hub } = ports
  const { call, devices } = stores
  const spans = createMatchSpans()
  const pending = createPendingInvocations(hub, log)
  const reports = createPendingReports(ports, pending, stores)
  const report = createConnectionReport(ports)
  const experience = createExperienceReport(ports)
  const ready = createReadyPeer({ ...ports, loadServers: () => loadServers(ports, stores.relayOnly.on.peek()) }, stores)
  const peer = createPeerEffects(
    { clock, log, ready, watch: createCallWatch(ports), report, experience, spans, pending },
    stores,
  )
  const subscribeToHub = createHubEvents(ports, { pending, reports, currentPeer: peer.current }, stores)
  const search = createSearchEffects(
    ports,
    { ready, reports, spans, subscribeToHub, currentPeer: peer.current },
    stores,
  )
  const handlers: EffectHandlers = {
    ...search.handlers,
    ...peer.handlers,
    ...createHubEffects(ports, stores, pending, reports),
    'keep-evidence': () => devices.keepEvidence(call.remote.peek()),
    'forget-evidence': () => devices.forgetEvidence(),
    'capture-evidence': () => void devices.captureEvidence(ownerOf(stores)),
    ...createTimerEffects(ports, [report, experience]),
    ...createScreenEffects(ports, stores),
  }

  warmUpOnce(ports, stores)
  let knowsTyping = true

  return {
    run: (effect: CallEffect, dispatch: Dispatch) => runEffect(handlers, effect, dispatch),

    /**
     * Sends an encoded chat message to the peer of the current match; waits for a hub client that is reconnecting.
     * Rejects with `not-delivered` without a call.
     */
    async deliver(encoded: string, id: string): Promise<void> {
      const state = call.state.peek()
      if (state.phase !== 'in-call') throw new AppError('not-delivered')
      const { matchId, peerConnectionId } = state
      await pending.invoke('SendChatMessageToPeer', 'connection', () => [matchId, peerConnectionId, encoded, id])
    },

    /** Tells the peer of the current match that the user types. A failure is not retried: typing soon ends. */
    tellTyping(): void {
      const state = call.state.peek()
      if (state.phase !== 'in-call' || !knowsTyping) return
      hub.invoke('HandleTyping', state.matchId, state.peerConnectionId).catch((thrown: unknown) => {
        const { code } = toAppError(thrown)
        // The server is older than this method.
        if (code === 'not-found') knowsTyping = false
        log.info(`HandleTyping was refused: ${code}`)
      })
    },

    /** Ends the visit and its hub connection; called when the pages of the call are left. */
    async stop(): Promise<void> {
      search.stop()
      ready.stop()
      reports.stop()
      pending.endVisit()
      stores.hub.changed('disconnected')
      await hub.stop()
    },
  }
}

/** Warms the browser up when the camera first opens, on the dashboard. Does nothing with the data saver. */
function warmUpOnce(
  { peers }: Pick<CallPorts, 'peers'>,
  { devices, pictureChoice }: Pick<CallStores, 'devices' | 'pictureChoice'>,
): void {
  const unsubscribe = devices.stream.subscribe((local) => {
    if (!local) return
    queueMicrotask(() => unsubscribe())
    if (!pictureChoice.isSaver.peek()) void peers.warmUp(local)
  })
}

/** End reasons that a toast explains to the user. */
const explained = ['hub-unavailable', 'replaced', 'camera-refused', 'relay-unavailable'] as const

function explanationOf(reason: EndReason): `toasts.${(typeof explained)[number]}` | null {
  const known = explained.find((each) => each === reason)
  return known ? `toasts.${known}` : null
}

/** Shows toasts, and navigates between the screens. */
function createScreenEffects({ navigation }: Pick<CallPorts, 'navigation'>, { toasts, visit, texts }: CallStores) {
  const named = (nickName: string) => nickName || texts.t('toasts.unnamed-peer')

  function go(to: 'buzzing' | 'chat' | 'dashboard'): void {
    visit.mark('navigationToVideoCallPage', to === 'chat')
    navigation.go(`/${to}`)
  }

  return {
    'notify-peer-left': ({ nickName }) => toasts.show('toasts.peer-left', { nickName: named(nickName) }),
    'notify-connection-lost': ({ nickName }) => toasts.show('toasts.connection-lost', { nickName: named(nickName) }),
    go: ({ to }) => go(to),
    leave({ reason }) {
      const text = explanationOf(reason)
      if (text) toasts.show(text)
      visit.mark('dashboardPageCanBeLoadedFromSplashScreen')
      go('dashboard')
    },
  } satisfies Partial<EffectHandlers>
}

const TICK_MS = 1_000

/** Runs the timer of the match's setup, and the countdown of the screens. */
function createTimerEffects(
  { clock, log }: Pick<CallPorts, 'clock' | 'log'>,
  reports: readonly Pick<ConnectionReport, 'broken'>[],
) {
  let stopMatchTimer = () => {}
  let stopTicking = () => {}
  return {
    'start-match-timer'({ matchId, ms, missing }, dispatch) {
      stopMatchTimer()
      stopMatchTimer = clock.after(ms, () => {
        log.error(`WebRTC session timed out: no ${missing}`)
        if (missing === 'connection') for (const report of reports) report.broken()
        dispatch({ type: 'match-timed-out', matchId })
      })
    },
    'stop-match-timer': () => stopMatchTimer(),
    'start-ticking'(_effect, dispatch) {
      stopTicking()
      stopTicking = clock.every(TICK_MS, () => dispatch({ type: 'tick' }))
    },
    'stop-ticking': () => stopTicking(),
  } satisfies Partial<EffectHandlers>
}
