import { toAppError } from '#protocol/errors.ts'
import type { CallStores } from '../use-call.ts'
import { type CallPorts, type EffectHandlers, ownerOf } from './effect-handlers.ts'
import type { PendingInvocations } from './pending-invocations.ts'
import type { PendingReports } from './pending-reports.ts'

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
