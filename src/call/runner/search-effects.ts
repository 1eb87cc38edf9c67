import { mayChat } from '#protocol/block-status.ts'
import { EXCLUSIONS_MAX } from '#protocol/constants.ts'
import { AppError, type ErrorCode, toAppError } from '#protocol/errors.ts'
import {
  type IceServers,
  iceServersFrom,
  PUBLIC_SERVERS,
  relaysOf,
  turnFaultText,
} from '../../platform/rules/ice-servers.ts'
import { within } from '../../platform/rules/within.ts'
import type { PeerConnection } from '../ports.ts'
import type { CallStores } from '../use-call.ts'
import { type CallPorts, type Dispatch, type EffectHandlers, ownerOf } from './effect-handlers.ts'
import { startHub } from './hub-exchange.ts'
import type { MatchSpans } from './match-reports.ts'
import type { PendingReports } from './pending-reports.ts'
import type { ReadyPeer } from './ready-peer.ts'

type Ports = Pick<CallPorts, 'api' | 'clock' | 'hub' | 'log'>
type Parts = {
  ready: ReadyPeer
  reports: Pick<PendingReports, 'resume'>
  spans: MatchSpans
  /** The result unsubscribes. */
  subscribeToHub: (dispatch: Dispatch) => () => void
  /** The peer connection of the match, null while there is none. */
  currentPeer: () => PeerConnection<MediaStream> | null
}

/** Prepares a visit and enters the match queue. `stop` ends the visit. */
export function createSearchEffects(ports: Ports, parts: Parts, stores: CallStores) {
  const { ready, spans, subscribeToHub } = parts
  const { log } = ports
  const { call, chat, search: searching } = stores
  let excluded: string[] = []
  let unsubscribes: (() => void)[] = []
  /** Counts stays in matching and chat: a preparation that belongs to an earlier one must not end the current one. */
  let stay = 0
  /** Counts searches, so that a late refusal of one does not end another. */
  let search = 0

  function unsubscribe(): void {
    for (const each of unsubscribes) each()
    unsubscribes = []
  }

  async function load(dispatch: Dispatch): Promise<void> {
    const current = stay
    try {
      const exclusions = await loadAll(ports, parts, stores)
      if (current !== stay) return
      excluded = exclusions
      ready.follow({
        current: parts.currentPeer,
        failed: () => dispatch({ type: 'failed', reason: 'relay-unavailable' }),
      })
      dispatch({ type: 'ready' })
    } catch (thrown) {
      // A visit that is over has cancelled these requests itself.
      if (current !== stay) return
      log.error('Matching could not start', thrown)
      dispatch({ type: 'failed', reason: failureReason(toAppError(thrown).code) })
    }
  }

  const handlers = {
    prepare(_effect, dispatch) {
      stay += 1
      spans.preparing()
      const { email, userSessionId } = ownerOf(stores)
      if (email === '' || userSessionId === '') {
        log.error('User email not found in cache')
        dispatch({ type: 'failed', reason: 'hub-unavailable' })
        return
      }
      unsubscribe()
      unsubscribes = [subscribeToHub(dispatch), watchDevices(stores, dispatch)]
      void load(dispatch)
    },

    'join-queue'(_effect, dispatch) {
      search += 1
      const current = search
      const isOver = () => current !== search || call.phase.peek() !== 'searching'
      chat.clear()
      searching.began()
      spans.searching()
      joinQueue(ports, ready, stores, excluded, isOver).catch((thrown: unknown) => {
        log.error('The queue could not be joined', thrown)
        const { code } = toAppError(thrown)
        // A hub client that is reconnecting joins again by itself.
        if (isOver() || (code === 'hub-unavailable' && stores.hub.state.peek() === 'reconnecting')) return
        dispatch({ type: 'failed', reason: failureReason(code) })
      })
    },
  } satisfies Partial<EffectHandlers>

  return {
    handlers,
    stop(): void {
      stay += 1
      unsubscribe()
    },
  }
}

/** Resolves with the ids of users to exclude once everything that a search needs is there. */
async function loadAll(ports: Ports, { ready, reports }: Parts, stores: CallStores): Promise<string[]> {
  const [exclusions] = await Promise.all([
    loadExclusions(ports),
    ready.load(),
    // Sends the reports of earlier visits before joining the queue: the server excludes reported users from matching.
    reports.resume(),
    checkStatus(ports),
    stores.devices.openForMatch(),
    startHub(ports, stores),
  ])
  return exclusions
}

/** Resolves when the hub has the queue entry, or when the search is over. Rejects with the code of what failed. */
async function joinQueue(
  ports: Ports,
  ready: ReadyPeer,
  stores: CallStores,
  excluded: string[],
  isOver: () => boolean,
): Promise<void> {
  const { hub } = ports
  // A device that was lost in the call before must be back: no user is matched without a picture or a voice.
  if (stores.devices.interruption.peek()?.what === 'lost') await stores.devices.open()
  if (isOver()) return
  ready.prepare()
  // After the client gave up, its new connection leads to another `join-queue`.
  if (stores.hub.state.peek() === 'gave-up') await startHub(ports, stores)
  else await hub.invoke('InitiateMatchingWithPeers', hub.connectionId(), JSON.stringify(excluded))
}

function failureReason(code: ErrorCode): 'not-allowed' | 'camera-refused' | 'relay-unavailable' | 'hub-unavailable' {
  if (code === 'blocked' || code === 'forbidden') return 'not-allowed'
  return code === 'camera-refused' || code === 'relay-unavailable' ? code : 'hub-unavailable'
}

/** Ends a search whose camera or microphone is lost and could not be replaced. Returns a function that unsubscribes. */
function watchDevices({ call, devices }: CallStores, dispatch: Dispatch): () => void {
  return devices.interruption.subscribe((interruption) => {
    if (call.phase.peek() !== 'searching') return
    if (interruption?.what === 'lost' && interruption.trouble !== null)
      dispatch({ type: 'failed', reason: 'camera-refused' })
  })
}

/** Longest wait for the lists of blocked users and earlier partners: the hub excludes these users by its own records as well. */
const LISTS_MS = 3_000

/** Resolves with the ids of blocked and earlier matched users, each once and at most `EXCLUSIONS_MAX`. Never rejects. */
async function loadExclusions({ api, clock, log }: Ports): Promise<string[]> {
  async function listOf(read: Promise<string[]>, name: string): Promise<string[]> {
    try {
      return await within(clock, LISTS_MS, read, [])
    } catch (thrown) {
      log.error(`Failed to load ${name}`, thrown)
      return []
    }
  }
  const matched = api.request('readMatchedIds', {}).then(({ matchedEmailIds }) => matchedEmailIds)
  const lists = await Promise.all([
    listOf(api.request('readBlockList', {}), 'blocked users'),
    listOf(matched, 'matched users'),
  ])
  return [...new Set(lists.flat())].slice(0, EXCLUSIONS_MAX)
}

/** Rejects with `blocked` where the status allows no chat, with the request's code where it cannot be read. */
async function checkStatus({ api }: Ports): Promise<void> {
  const { status } = await api.request('readBlockStatus', {})
  if (!mayChat(status)) throw new AppError('blocked')
}

/** Falls back to the public servers. With `relayOnly` there are relays alone; rejects with `relay-unavailable`. */
export async function loadServers({ api, log }: Pick<Ports, 'api' | 'log'>, relayOnly: boolean): Promise<IceServers> {
  const read = api.request('readTurn', undefined).then(iceServersFrom)
  const servers = await read.catch((thrown: unknown) => {
    log.error(turnFaultText(toAppError(thrown).code), thrown)
    return PUBLIC_SERVERS
  })
  if (!relayOnly) return servers
  const relays = relaysOf(servers)
  if (relays.length === 0) throw new AppError('relay-unavailable')
  return relays
}
