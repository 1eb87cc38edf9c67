import { toAppError } from '#protocol/errors.ts'
import type { HubState, PeerConnection } from '../ports.ts'
import type { CallStores } from '../use-call.ts'
import { type CallPorts, type Dispatch, type EffectHandlers, ownerOf } from './effect-handlers.ts'
import type { PendingInvocations } from './pending-invocations.ts'
import type { PendingReports } from './pending-reports.ts'

type Parts = {
  pending: PendingInvocations
  reports: Pick<PendingReports, 'sendAll' | 'taken'>
  /** The peer connection of the match, null while there is none. */
  currentPeer: () => PeerConnection<MediaStream> | null
}

/**
 * Turns hub events into call events, and passes candidates to the peer connection. Returns `subscribe(dispatch)`, whose
 * result unsubscribes.
 */
export function createHubEvents(
  { hub, clock }: Pick<CallPorts, 'hub' | 'clock'>,
  { pending, reports, currentPeer }: Parts,
  stores: CallStores,
): (dispatch: Dispatch) => () => void {
  const { call, chat, search, sounds, typing } = stores
  /** The connection id under which the hub last knew this user. */
  let knownId = ''

  function connected(dispatch: Dispatch): void {
    const before = knownId
    knownId = hub.connectionId()
    pending.hubConnected()
    reports.sendAll()
    if (before !== knownId) dispatch({ type: 'hub-reconnected' })
  }

  /** Without the hub a call continues, but a search ends. */
  function gaveUp(dispatch: Dispatch): void {
    pending.hubGaveUp()
    if (!['in-call', 'reporting', 'warned'].includes(call.phase.peek()))
      dispatch({ type: 'failed', reason: 'hub-unavailable' })
  }

  function changed(state: HubState, dispatch: Dispatch): void {
    stores.hub.changed(state)
    if (state === 'connected') connected(dispatch)
    else if (state === 'gave-up') gaveUp(dispatch)
    else pending.hubLost()
  }

  function isCurrent(matchId: string): boolean {
    const state = call.state.peek()
    return 'matchId' in state && state.matchId === matchId
  }

  return (dispatch) => {
    const descriptionReceived = (matchId: string, data: string) =>
      dispatch({ type: 'description-received', matchId, data, at: clock.now() })
    const unsubscribes = [
      hub.on('OnUserMatched', (role, matchId, peerConnectionId, shared) =>
        dispatch({ type: 'match-found', role, matchId, peerConnectionId, at: clock.now(), shared }),
      ),
      hub.on('OnPeerNickNameAndEmailIdReceived', (nickName, alias, userSessionId) =>
        dispatch({ type: 'peer-named', peer: { nickName, alias, userSessionId } }),
      ),
      hub.on('OnOfferReceived', descriptionReceived),
      hub.on('OnAnswerReceived', descriptionReceived),
      // Candidates go directly to the peer connection, which holds those that come before their offer.
      hub.on('OnIceCandidate', (matchId, data) => {
        if (isCurrent(matchId)) currentPeer()?.addCandidate(data)
      }),
      hub.on('SessionTerminated', (matchId) => dispatch({ type: 'match-terminated', matchId })),
      hub.on('OnUserReportedByPeer', (matchId) => dispatch({ type: 'reported-by-peer', matchId })),
      hub.on('OnUserReportingSuccessful', reports.taken),
      hub.on('OnChatMessage', (matchId, message, id) => {
        if (!isCurrent(matchId)) return
        typing.forgetPeer()
        chat.receive(message, id)
        sounds.play('message')
      }),
      hub.on('OnPeerTyping', (matchId) => {
        if (isCurrent(matchId)) typing.peerTyped()
      }),
      hub.on('OnQueueSize', search.takeSize),
      hub.onState((state, reason) => {
        changed(state, dispatch)
        if (reason === 'replaced') dispatch({ type: 'failed', reason })
        // If the login ended elsewhere, the first request of the dashboard leads to the sign-in page.
        if (reason === 'blocked' || reason === 'login-required') dispatch({ type: 'failed', reason: 'not-allowed' })
      }),
    ]
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
    }
  }
}

type Ports = Pick<CallPorts, 'api' | 'hub' | 'log'>

/** Connects to the hub as the signed-in user, also again after the client gave up. Rejects with `hub-unavailable`. */
export function startHub({ api, hub, log }: Ports, { visit }: Pick<CallStores, 'visit'>): Promise<void> {
  const userSessionId = visit.userSessionId.peek()

  async function token(): Promise<string> {
    try {
      return (await api.request('readHubToken', { userSessionId })).hubConnectionAccessToken
    } catch (thrown) {
      log.error('Failed to fetch authentication token', thrown)
      throw thrown
    }
  }

  return hub.start({ userSessionId, token })
}

export function createHubEffects(
  ports: Ports,
  stores: CallStores,
  pending: PendingInvocations,
  reports: Pick<PendingReports, 'add'>,
) {
  const { hub, log } = ports
  const { send } = pending

  return {
    introduce({ matchId, peerConnectionId }) {
      const nickName = stores.account.nickName.peek()
      send('HandleUserNickNameAndUserEmailIdToPeer', 'match', () => [peerConnectionId, nickName, ''])
      send('HandleMatchedEmailIds', 'match', () => ['', matchId])
    },

    'send-description'({ matchId, peerConnectionId, kind, data }) {
      const method = kind === 'offer' ? 'HandleOffer' : 'HandleAnswer'
      send(method, 'match', () => [matchId, peerConnectionId, data])
    },

    'report-connected'({ matchId }) {
      send('UpdateWebRtcConnectionSuccessStatus', 'match', () => [matchId])
    },

    'confirm-match'({ matchId }, dispatch) {
      hub.invoke('UpdateWebRtcConnectionSuccessStatus', matchId).catch((thrown: unknown) => {
        log.error('The match could not be confirmed', thrown)
        if (toAppError(thrown).code !== 'not-in-match') return
        dispatch({ type: 'match-forgotten', matchId, isBroken: stores.call.health.peek() === 'broken' })
      })
    },

    terminate({ matchId }) {
      send('OnMatchedSessionTerminationRequested', 'visit', () => [matchId, hub.connectionId()])
    },

    report({ matchId, peerConnectionId, report, details }) {
      void stores.devices.sendEvidence(ownerOf(stores), stores.call.remote.peek())
      reports.add({ matchId, peerConnectionId, report, details })
    },

    reconnect() {
      startHub(ports, stores).catch((thrown: unknown) => log.error('The hub could not be reached again', thrown))
    },
  } satisfies Partial<EffectHandlers>
}
