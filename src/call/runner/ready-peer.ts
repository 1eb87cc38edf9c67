import type { Role } from '#protocol/hub.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { IceServers } from '../../platform/rules/ice-servers.ts'
import { PUBLIC_SERVERS } from '../../platform/rules/ice-servers.ts'
import { within } from '../../platform/rules/within.ts'
import type { PeerConnection, PeerConnections, PeerListener, PeerOptions, PreparedPeer } from '../ports.ts'
import type { CallStores } from '../use-call.ts'
import type { CallPorts } from './effect-handlers.ts'

/** Time after which prepared peers are replaced: TURN credentials last ten minutes, the network may change. */
const RENEW_MS = 5 * 60_000
/**
 * Longest wait for the TURN servers before the search begins without them. If the user hides the network address, the
 * search waits without limit.
 */
const RELAY_MS = 3_000

type Ports = {
  peers: PeerConnections<MediaStream>
  clock: Clock
  log: Log
  /** Rejects with `relay-unavailable`. */
  loadServers: () => Promise<IceServers>
  onNetworkChange: CallPorts['onNetworkChange']
}

type Visit = {
  /** The peer connection of the match, null while there is none. */
  current: () => PeerConnection<MediaStream> | null
  /** Called when a user who chose relays only has no valid credentials, so that the search must end. */
  failed: () => void
}

export type ReadyPeer = ReturnType<typeof createReadyPeer>

/**
 * Keeps a peer connection prepared for the next match, with camera, candidates and offer. With the data saver the peer
 * connection is opened only at the match.
 */
export function createReadyPeer(
  { peers, clock, log, loadServers, onNetworkChange }: Ports,
  stores: Pick<CallStores, 'devices' | 'pictureChoice' | 'relayOnly'>,
) {
  const { devices, pictureChoice, relayOnly } = stores
  let prepared: PreparedPeer<MediaStream> | null = null
  let servers: IceServers = []
  /** A request for servers that takes longer than `RELAY_MS`. */
  let late: Promise<IceServers> | null = null
  let visit: Visit | null = null
  let unsubscribes: (() => void)[] = []

  /** Returns null if there is no camera. */
  function options(): PeerOptions<MediaStream> | null {
    const local = devices.stream.peek()
    return local && { servers, local, relayOnly: relayOnly.on.peek() }
  }

  function replacePrepared(): void {
    prepared?.close()
    const wanted = options()
    prepared = wanted && peers.prepare(wanted)
  }

  function prepareAgain(): void {
    if (prepared) replacePrepared()
  }

  /** Passes fresh credentials to the search and to the call before the old ones expire. */
  async function renew(of: Visit, loading: Promise<IceServers>): Promise<void> {
    try {
      const fresh = await loading
      if (visit !== of) return
      servers = fresh
      of.current()?.takeServers(fresh)
      prepareAgain()
    } catch (thrown) {
      log.error('The servers of the call could not be renewed', thrown)
      // A search with relays only must not continue with expired credentials. A call continues.
      if (visit === of && !of.current()) of.failed()
    }
  }

  function stop(): void {
    visit = null
    for (const unsubscribe of unsubscribes) unsubscribe()
    unsubscribes = []
    prepared?.close()
    prepared = null
  }

  return {
    /** Loads the ICE servers; uses the public ones while a request is slow. Rejects with `relay-unavailable`. */
    async load(): Promise<void> {
      const loading = loadServers()
      const loaded = await (relayOnly.on.peek() ? loading : within(clock, RELAY_MS, loading, null))
      servers = loaded ?? PUBLIC_SERVERS
      late = loaded ? null : loading
    },

    /** Keeps servers and camera up to date until `stop`. */
    follow(of: Visit): void {
      stop()
      visit = of
      if (late) void renew(of, late)
      late = null
      unsubscribes = [
        clock.every(RENEW_MS, () => {
          if (prepared) log.info('Peer connection has expired')
          void renew(of, loadServers())
        }),
        followCamera(devices, (stream) => {
          const replaced = of.current()?.replaceTracks(stream)
          replaced?.catch((thrown: unknown) => log.error('The new camera was not sent', thrown))
          prepareAgain()
        }),
        // The gathered candidates belong to the earlier network.
        onNetworkChange(prepareAgain),
      ]
    },

    prepare(): void {
      if (!pictureChoice.isSaver.peek()) replacePrepared()
    },

    /** Returns the prepared peer connection for this role, or else a new one. Returns null without a camera. */
    take(role: Role, listener: PeerListener<MediaStream>): PeerConnection<MediaStream> | null {
      const taken = prepared
      prepared = null
      if (taken) return taken.take(role, listener)
      const wanted = options()
      return wanted && peers.open(role, wanted, listener)
    },

    stop,
  }
}

/** Calls `listener` with every stream that replaces the current one. Returns a function that unsubscribes. */
function followCamera(
  { stream }: Pick<CallStores['devices'], 'stream'>,
  listener: (stream: MediaStream) => void,
): () => void {
  let last = stream.peek()
  return stream.subscribe((next) => {
    if (!next || next === last) return
    last = next
    listener(next)
  })
}
