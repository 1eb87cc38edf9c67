import { onPageWake } from '../../platform/io/page-wakes.ts'
import { createHubClient } from '../hub/hub-client.ts'
import type { HubSites } from '../hub/hub-sites.ts'
import { createPeerConnections } from '../peer/peer-connections.ts'
import { preferredCodecs } from '../peer/preferred-codecs.ts'
import type { CallStores } from '../use-call.ts'
import { type CallRunner, createCallRunner } from './call-runner.ts'
import type { CallPorts } from './effect-handlers.ts'

type Ports = Pick<CallPorts, 'api' | 'clock' | 'experience' | 'log' | 'navigation' | 'storage'>

/** Builds the call runner with hub client and peer connections. This module is a chunk that is loaded ahead of need. */
export function createCall(ports: Ports, stores: CallStores, sites: HubSites, weakCpu: boolean): CallRunner {
  const { clock, log } = ports
  const hub = createHubClient({ sites, log, clock, onWake: onPageWake })
  const peers = createPeerConnections(preferredCodecs(weakCpu))
  return createCallRunner({ ...ports, hub, peers, onNetworkChange }, stores)
}

type NavigatorWithConnection = Navigator & { readonly connection?: EventTarget & { readonly type?: string } }

/** Calls `listener` when this device has changed its network or is back on one. Returns a function to unsubscribe. */
function onNetworkChange(listener: () => void): () => void {
  const { connection } = navigator as NavigatorWithConnection
  let kind = connection?.type
  // The event also fires when only the browser's estimate of the speed changes.
  function changed(): void {
    if (connection?.type === kind) return
    kind = connection?.type
    if (kind !== 'none') listener()
  }
  connection?.addEventListener('change', changed)
  addEventListener('online', listener)
  return () => {
    connection?.removeEventListener('change', changed)
    removeEventListener('online', listener)
  }
}
