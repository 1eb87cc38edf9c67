import type { Stores } from '../stores/stores.ts'
import { createHubClient } from '../transport/hub-client.ts'
import type { HubSites } from '../transport/hub-sites.ts'
import { onNetworkChange } from '../transport/network-changes.ts'
import { onPageWake } from '../transport/page-wakes.ts'
import { createPeerConnections } from '../transport/peer-connections.ts'
import { preferredCodecs } from '../transport/preferred-codecs.ts'
import { type CallRunner, createCallRunner } from './call-runner.ts'
import type { CallPorts } from './effect-handlers.ts'

type Ports = Pick<CallPorts, 'api' | 'clock' | 'experience' | 'log' | 'navigation' | 'storage'>

/** Builds the runner of the call with the hub client and the peer connections. Loads as one chunk, ahead of need. */
export function createCall(ports: Ports, stores: Stores, sites: HubSites, weakCpu: boolean): CallRunner {
  const { clock, log } = ports
  const hub = createHubClient({ sites, log, clock, onWake: onPageWake })
  const peers = createPeerConnections(preferredCodecs(weakCpu))
  return createCallRunner({ ...ports, hub, peers, onNetworkChange }, stores)
}
