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
  /** Returns a function that unsubscribes. */
  subscribeToHub: (dispatch: Dispatch) => () => void
  /** The peer connection of the match, null while there is none. */
  currentPeer: () => PeerConnection<MediaStream> | null
}

/** Prepares a stay in matching and chat, and joins the queue. `stop` ends the stay. */
export function createSearchEffects(ports: Ports, parts: Parts, stores: CallStores) {
  const { ready, spans, subscribeToHub } = parts
  const { log } = ports
  const { call, chat, search: searching } = stores
  let excluded: string[] = []
  let unsubscribes: (() => void)[] = []
  /** Number of the current stay in matching and chat: a preparation of an earlier stay must not end it. */
  let stay = 0
  /** Number of the current search: a late refusal of an earlier search must not end it. */
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
      // A stay that is over has cancelled its requests itself.
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
        // A hub client that reconnects joins the queue again by itself.
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

/** Resolves, when everything that a search needs is there, with the ids of the users to exclude. */
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

/** Resolves when the hub has the queue entry, or the search is over. Rejects with the error that ends the search. */
async function joinQueue(
  ports: Ports,
  ready: ReadyPeer,
  stores: CallStores,
  excluded: string[],
  isOver: () => boolean,
): Promise<void> {
  const { hub } = ports
  // A device that was lost in the last call must be back: no user is matched without picture or sound.
  if (stores.devices.interruption.peek()?.what === 'lost') await stores.devices.open()
  if (isOver()) return
  ready.prepare()
  // After the client gave up, a new connection is opened, which leads to another `join-queue` effect.
  if (stores.hub.state.peek() === 'gave-up') await startHub(ports, stores)
  else await hub.invoke('InitiateMatchingWithPeers', hub.connectionId(), JSON.stringify(excluded))
}

function failureReason(code: ErrorCode): 'not-allowed' | 'camera-refused' | 'relay-unavailable' | 'hub-unavailable' {
  if (code === 'blocked' || code === 'forbidden') return 'not-allowed'
  return code === 'camera-refused' || code === 'relay-unavailable' ? code : 'hub-unavailable'
}

/** Ends the search when camera or microphone is lost and cannot be replaced. Returns a function that unsubscribes. */
function watchDevices({ call, devices }: CallStores, dispatch: Dispatch): () => void {
  return devices.interruption.subscribe((interruption) => {
    if (call.phase.peek() !== 'searching') return
    if (interruption?.what === 'lost' && interruption.trouble !== null)
      dispatch({ type: 'failed', reason: 'camera-refused' })
  })
}

/** Longest wait for the lists of blocked users and earlier partners. The hub also excludes them by itself. */
const LISTS_MS = 3_000

/** Resolves with the ids of blocked users and earlier partners, each once, at most `EXCLUSIONS_MAX`. Never rejects. */
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

/** Rejects with `blocked` if the status allows no chat, and with the request's code if it cannot be read. */
async function checkStatus({ api }: Ports): Promise<void> {
  const { status } = await api.request('readBlockStatus', {})
  if (!mayChat(status)) throw new AppError('blocked')
}

/**
 * Resolves with the public servers if the TURN servers cannot be read. With `relayOnly` resolves with relays only, and
 * rejects with `relay-unavailable` if there is none.
 */
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
