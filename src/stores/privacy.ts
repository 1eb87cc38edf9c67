import { type ReadonlySignal, signal } from '@preact/signals-react'
import * as v from 'valibot'
import type { Log, Storage } from '../domain/ports.ts'

export type PrivacyStore = ReturnType<typeof createPrivacyStore>

const KEY = 'hideNetworkAddress'
const storedSchema = v.fallback(v.picklist(['on', 'off']), 'off')

/** Whether this user's network address is kept from the people they meet; remembered in this browser. */
export function createPrivacyStore(storage: Pick<Storage<Blob>, 'get' | 'set'>, log: Log) {
  const relayOnly = signal(false)
  const known = signal(false)
  /** Counts choices, so that one made while the stored one was read stays. */
  let choices = 0

  return {
    /** True: media goes through a relay or not at all. */
    relayOnly: relayOnly as ReadonlySignal<boolean>,
    /** False until what was remembered has been read: before that nobody may be connected. */
    known: known as ReadonlySignal<boolean>,

    /** Reads what was remembered; off where nothing was. Never rejects. */
    async restore(): Promise<void> {
      const before = choices
      const stored = v.parse(storedSchema, await storage.get(KEY))
      if (before === choices) relayOnly.value = stored === 'on'
      known.value = true
    },

    hideAddress(on: boolean): void {
      choices += 1
      relayOnly.value = on
      storage.set(KEY, on ? 'on' : 'off').catch((thrown: unknown) => {
        log.error('The choice to hide the network address was not kept', thrown)
      })
    },
  }
}
