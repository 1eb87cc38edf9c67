import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import type { Log } from '../../platform/log.ts'
import type { Api, Sound } from '../../platform/ports.ts'
import type { IceServers } from '../../platform/rules/ice-servers.ts'
import { iceServersFrom } from '../../platform/rules/ice-servers.ts'
import {
  type DeviceStrength,
  type NetworkFinding,
  networkFinding,
  type RelayWay,
  relaysBy,
  relayWays,
  type WayState,
  type WayStates,
} from '../rules/relay-ways.ts'

export type ConnectionCheck = ReturnType<typeof createConnectionCheck>

type Ports = {
  api: Pick<Api, 'request'>
  log: Log
  /** Returns a function that ends the sound. */
  play: (sound: Sound) => () => void
  /** Resolves with true if any of the relays answers. */
  probe: (servers: IceServers, signal: AbortSignal) => Promise<boolean>
  strength: () => DeviceStrength
  /** Calls the listener when the picture becomes nearly black or bright again. Returns a function that stops it. */
  watchLight: (stream: MediaStream, listener: (isDark: boolean) => void) => () => void
}

const checking: WayStates = { udp: 'checking', tcp: 'checking', tls: 'checking' }

/** Checks on demand over which transports a relay can be reached. */
export function createConnectionCheck({ api, log, play, probe, strength, watchLight }: Ports) {
  const ways = signal<WayStates>(checking)
  const isUnread = signal(false)
  let endTune = () => {}

  async function check(stop: AbortSignal): Promise<void> {
    const servers = iceServersFrom(await api.request('readTurn', undefined))
    if (stop.aborted) return
    await Promise.all(relayWays.map((way) => checkWay(way, relaysBy(servers, way), stop)))
  }

  async function checkWay(way: RelayWay, relays: IceServers, stop: AbortSignal): Promise<void> {
    const state: WayState = relays.length === 0 ? 'unoffered' : (await probe(relays, stop)) ? 'open' : 'closed'
    if (!stop.aborted) ways.value = { ...ways.peek(), [way]: state }
  }

  return {
    ways: ways as ReadonlySignal<WayStates>,
    network: computed<NetworkFinding>(() => (isUnread.value ? 'unread' : networkFinding(ways.value))),
    strength,
    watchLight,
    playTune(): void {
      endTune()
      endTune = play('match')
    },
    /** Starts a check of the network. Returns a function that stops the check and the test sound. */
    start(): () => void {
      const stopping = new AbortController()
      ways.value = checking
      isUnread.value = false
      check(stopping.signal).catch((thrown: unknown) => {
        if (stopping.signal.aborted) return
        isUnread.value = true
        log.error('The network could not be checked', thrown)
      })
      return () => {
        stopping.abort()
        endTune()
      }
    },
  }
}
