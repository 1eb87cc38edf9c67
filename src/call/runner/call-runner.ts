import { AppError, toAppError } from '#protocol/errors.ts'
import type { CallEffect } from '../rules/call-state.ts'
import type { CallStores } from '../use-call.ts'
import { createConnectionReport } from './connection-report.ts'
import { type CallPorts, type Dispatch, type EffectHandlers, runEffect } from './effect-handlers.ts'
import { createEvidenceEffects } from './evidence-effects.ts'
import { createExperienceReport } from './experience-report.ts'
import { createHubEffects } from './hub-effects.ts'
import { createHubEvents } from './hub-events.ts'
import { createMatchSpans } from './match-spans.ts'
import { createPeerEffects } from './peer-effects.ts'
import { createPendingInvocations } from './pending-invocations.ts'
import { createPendingReports } from './pending-reports.ts'
import { createCallPreparation } from './preparation.ts'
import { createReadyPeer } from './ready-peer.ts'
import { createScreenEffects } from './screen-effects.ts'
import { createSearchEffects } from './search-effects.ts'
import { createTimerEffects } from './timer-effects.ts'
import { createCallWatch } from './watch.ts'

export type CallRunner = ReturnType<typeof createCallRunner>

/** Carries out the effects of the call machine: hub, peer connection, pictures, timers and screens. */
export function createCallRunner(ports: CallPorts, stores: CallStores) {
  const { api, clock, log, hub } = ports
  const spans = createMatchSpans()
  const pending = createPendingInvocations(hub, log)
  const reports = createPendingReports(ports, pending, stores)
  const preparation = createCallPreparation(api, clock, log)
  const report = createConnectionReport(ports)
  const experience = createExperienceReport(ports)
  const loadServers = () => preparation.loadServers(stores.relayOnly.on.peek())
  const ready = createReadyPeer({ ...ports, loadServers }, stores)
  const peer = createPeerEffects(
    { clock, log, ready, watch: createCallWatch(ports), report, experience, spans, pending },
    stores,
  )
  const subscribeToHub = createHubEvents(ports, { pending, reports, currentPeer: peer.current }, stores)
  const search = createSearchEffects(
    ports,
    { preparation, ready, reports, spans, subscribeToHub, currentPeer: peer.current },
    stores,
  )
  const handlers: EffectHandlers = {
    ...search.handlers,
    ...peer.handlers,
    ...createHubEffects(ports, stores, pending, reports),
    ...createEvidenceEffects(stores),
    ...createTimerEffects({ clock, log, reports: [report, experience] }),
    ...createScreenEffects(ports, stores),
  }

  warmUpOnce(ports, stores)
  let knowsTyping = true

  return {
    run: (effect: CallEffect, dispatch: Dispatch) => runEffect(handlers, effect, dispatch),

    /**
     * Sends an encoded chat message to the peer of the current match; waits for a hub client that is reconnecting.
     * Rejects with `not-delivered` where there is no match.
     */
    async deliver(encoded: string, id: string): Promise<void> {
      const state = stores.call.state.peek()
      if (state.phase !== 'in-call') throw new AppError('not-delivered')
      const { matchId, peerConnectionId } = state
      await pending.invoke('SendChatMessageToPeer', 'connection', () => [matchId, peerConnectionId, encoded, id])
    },

    /** Tells the peer of the current match that the user types. It is of the moment: what fails is not repeated. */
    tellTyping(): void {
      const state = stores.call.state.peek()
      if (state.phase !== 'in-call' || !knowsTyping) return
      hub.invoke('HandleTyping', state.matchId, state.peerConnectionId).catch((thrown: unknown) => {
        const { code } = toAppError(thrown)
        // A server of an earlier version.
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

/** Warms the browser up when the camera opens for the first time: on the dashboard, where there is time for it. Not with the data saver. */
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
