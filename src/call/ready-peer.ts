import type { Role } from '#protocol/hub.ts'
import { within } from '../app/within.ts'
import { PUBLIC_SERVERS } from '../domain/ice-servers.ts'
import type {
  Clock,
  IceServers,
  Log,
  PeerConnection,
  PeerConnections,
  PeerListener,
  PreparedPeer,
} from '../domain/ports.ts'
import type { Stores } from '../stores/stores.ts'

/** TURN credentials live for ten minutes, and a network may have changed: what was prepared before is made anew. */
const RENEW_MS = 5 * 60_000
/** Most calls need no relay: who does not hide begins without one that takes longer, and has it when it comes. */
const RELAY_MS = 3_000

type Ports = {
  peers: PeerConnections<MediaStream>
  clock: Clock
  log: Log
  /** Rejects with `relay-unavailable`. */
  loadServers: () => Promise<IceServers>
  /** Hears when this device is on another network, or on one again; the answer ends that. */
  onNetworkChange: (listener: () => void) => () => void
}

type Visit = {
  /** The connection of the call that goes on, null while there is none. */
  current: () => PeerConnection<MediaStream> | null
  /** Nobody could be called any more as the user wishes it. */
  failed: () => void
}

/** Has a connection ready for whoever comes next: camera, addresses and the offer are there before the match. */
export function createReadyPeer(
  { peers, clock, log, loadServers, onNetworkChange }: Ports,
  stores: Pick<Stores, 'devices' | 'privacy'>,
) {
  const { devices, privacy } = stores
  let servers: IceServers = []
  /** What is still to come of the servers that were asked for. */
  let late: Promise<IceServers> | null = null
  let prepared: PreparedPeer<MediaStream> | null = null
  let stops: (() => void)[] = []

  function prepare(): void {
    prepared?.close()
    const local = devices.stream.peek()
    prepared = local && peers.prepare({ servers, local, relayOnly: privacy.relayOnly.peek() })
  }

  function stop(): void {
    for (const one of stops) one()
    stops = []
    prepared?.close()
    prepared = null
  }

  /** Neither a search nor a call is ever left with credentials that have run out. */
  async function renew(visit: Visit, isOver: () => boolean, asked: Promise<IceServers>): Promise<void> {
    try {
      const fresh = await asked
      if (isOver()) return
      servers = fresh
      visit.current()?.takeServers(fresh)
      if (prepared) prepare()
    } catch (thrown) {
      log.error('The servers of the call could not be renewed', thrown)
      // Somebody who hides their address must not wait with what no relay takes any more. A call that stands goes on.
      if (!isOver() && !visit.current()) visit.failed()
    }
  }

  /** What is sent, and what will be, follows the camera. */
  function followCamera(visit: Visit): () => void {
    let last = devices.stream.peek()
    return devices.stream.subscribe((stream) => {
      if (!stream || stream === last) return
      last = stream
      const replaced = visit.current()?.replaceTracks(stream)
      replaced?.catch((thrown: unknown) => log.error('The new camera was not sent', thrown))
      if (prepared) prepare()
    })
  }

  return {
    /** Learns which servers help; the public ones where the answer takes long. Rejects with `relay-unavailable`. */
    async load(): Promise<void> {
      const asked = loadServers()
      const came = await (privacy.relayOnly.peek() ? asked : within(clock, RELAY_MS, asked, null))
      servers = came ?? PUBLIC_SERVERS
      late = came ? null : asked
    },

    /** From now until `stop` servers and camera are kept up to date. */
    follow(visit: Visit): void {
      stop()
      let over = false
      const isOver = () => over
      if (late) void renew(visit, isOver, late)
      late = null
      stops = [
        clock.every(RENEW_MS, () => {
          if (prepared) log.info('Peer connection has expired')
          void renew(visit, isOver, loadServers())
        }),
        followCamera(visit),
        // The addresses that were found belong to the network before.
        onNetworkChange(() => {
          if (prepared) prepare()
        }),
        () => {
          over = true
        },
      ]
    },

    prepare,

    /** Null where there is no camera. */
    take(role: Role, listener: PeerListener<MediaStream>): PeerConnection<MediaStream> | null {
      if (!prepared) prepare()
      const ready = prepared
      prepared = null
      return ready?.take(role, listener) ?? null
    },

    stop,
  }
}
