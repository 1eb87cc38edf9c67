import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api, Storage } from '../../platform/ports.ts'
import type { HubClient, PeerConnections } from '../ports.ts'
import type { CallEffect, CallEvent } from '../rules/call-state.ts'
import type { CallStores } from '../use-call.ts'
import type { ExperiencePorts } from './match-reports.ts'

export type CallPorts = {
  api: Api
  clock: Clock
  log: Log
  hub: HubClient
  peers: PeerConnections<MediaStream>
  storage: Pick<Storage<Blob>, 'get' | 'set'>
  navigation: { go(path: string): void }
  /** Calls `listener` when this device has changed its network or is back on one. Returns a function to unsubscribe. */
  onNetworkChange: (listener: () => void) => () => void
  experience: ExperiencePorts
}

export type Dispatch = (event: CallEvent) => void

type EffectOf<T extends CallEffect['type']> = Extract<CallEffect, { type: T }>

/** One handler for each kind of effect. The result of an effect is dispatched as an event. */
export type EffectHandlers = {
  [T in CallEffect['type']]: (effect: EffectOf<T>, dispatch: Dispatch) => void
}

export function runEffect<T extends CallEffect['type']>(
  handlers: EffectHandlers,
  effect: { [K in T]: EffectOf<K> & { type: K } }[T],
  dispatch: Dispatch,
): void {
  handlers[effect.type](effect, dispatch)
}

/** Returns the account and the visit for which pictures are sent. */
export function ownerOf({ account, visit }: Pick<CallStores, 'account' | 'visit'>) {
  return { email: account.email.peek(), userSessionId: visit.userSessionId.peek() }
}
