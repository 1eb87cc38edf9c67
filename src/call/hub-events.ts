import type { CallEvent } from '../domain/call-machine.ts'
import type { HubClient } from '../domain/ports.ts'
import type { Stores } from '../stores/stores.ts'
import type { HubOutbox } from './pending-invocations.ts'

type Dispatch = (event: CallEvent) => void

/** What the hub says becomes events of the call, from each call of the answer until that call's answer is called. */
export function createHubEvents(hub: HubClient, outbox: HubOutbox, stores: Stores): (dispatch: Dispatch) => () => void {
  const { call, chat, sounds } = stores
  /** The connection that the hub last knew this user by. */
  let connection = ''

  function connected(dispatch: Dispatch): void {
    const before = connection
    connection = hub.connectionId()
    outbox.open()
    if (before !== connection) dispatch({ type: 'hub-reconnected' })
  }

  /** A call goes on without the hub; a search cannot. */
  function gaveUp(dispatch: Dispatch): void {
    outbox.giveUp()
    const phase = call.phase.peek()
    if (phase !== 'in-call' && phase !== 'warned') dispatch({ type: 'failed', reason: 'hub-unavailable' })
  }

  return (dispatch) => {
    const listening = [
      hub.on('OnUserMatched', (role, matched, peerConnectionId) =>
        dispatch({ type: 'match-found', role, session: matched, peerConnectionId }),
      ),
      hub.on('OnPeerNickNameAndEmailIdReceived', (nickName, alias, userSessionId) =>
        dispatch({ type: 'peer-named', peer: { nickName, alias, userSessionId } }),
      ),
      hub.on('OnOfferReceived', (of, data) => dispatch({ type: 'description-received', session: of, data })),
      hub.on('OnAnswerReceived', (of, data) => dispatch({ type: 'description-received', session: of, data })),
      hub.on('OnIceCandidate', (of, data) => dispatch({ type: 'candidate-received', session: of, data })),
      hub.on('SessionTerminated', (of) => dispatch({ type: 'session-terminated', session: of })),
      hub.on('OnUserReportedByPeer', (of) => dispatch({ type: 'reported-by-peer', session: of })),
      hub.on('OnUserReportingSuccessful', (of) => dispatch({ type: 'report-taken', session: of })),
      hub.on('OnChatMessage', (of, message, id) => {
        const state = call.state.peek()
        if (!('session' in state) || state.session !== of) return
        chat.receive(message, id)
        sounds.play('message')
      }),
      hub.onState((state, reason) => {
        stores.hub.changed(state)
        if (state === 'connected') connected(dispatch)
        else if (state === 'gave-up') gaveUp(dispatch)
        else outbox.hold()
        if (reason === 'replaced') dispatch({ type: 'failed', reason })
        // Whose login ended elsewhere is led to the sign-in page by the first call of the dashboard.
        if (reason === 'blocked' || reason === 'login-required') dispatch({ type: 'failed', reason: 'not-allowed' })
      }),
    ]
    return () => {
      for (const stop of listening) stop()
    }
  }
}
