import type { ErrorCode } from '#protocol/errors.ts'
import { type HubEvent, hubEvents } from '#protocol/hub.ts'
import { tryParse } from '#protocol/parse.ts'
import type { Log } from '../../platform/log.ts'
import type { HubClient, HubState } from '../ports.ts'

type Listener = (args: unknown[]) => void
type StateListener = Parameters<HubClient['onState']>[0]
type Subscriptions = Pick<HubClient, 'on' | 'onState'>

export type HubListeners = ReturnType<typeof createHubListeners>

/** Hands the hub's events and the states of the connection to their listeners, which stay over all connections. */
export function createHubListeners(log: Pick<Log, 'error'>) {
  const listeners = new Map<HubEvent, Set<Listener>>()
  const stateListeners = new Set<StateListener>()

  const subscriptions: Subscriptions = {
    on(event, listener) {
      const parsing: Listener = (args) => {
        const parsed = tryParse(hubEvents[event], args)
        if (parsed.success) listener(...parsed.output)
        else log.error(`A malformed ${event} of the hub was dropped`)
      }
      const known = listeners.get(event) ?? new Set()
      listeners.set(event, known.add(parsing))
      return () => known.delete(parsing)
    },

    onState(listener) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
  }

  return {
    ...subscriptions,
    received(event: HubEvent, args: unknown[]): void {
      for (const listener of [...(listeners.get(event) ?? [])]) listener(args)
    },
    changed(state: HubState, reason: ErrorCode | null): void {
      for (const listener of [...stateListeners]) listener(state, reason)
    },
  }
}
