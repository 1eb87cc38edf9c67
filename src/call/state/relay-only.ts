import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../platform/ports.ts'
import { HIDE_ADDRESS_KEY } from '../../platform/rules/browser-keys.ts'
import { STORED_MS, within } from '../../platform/rules/within.ts'
import { createRememberedSwitch } from '../../platform/state/remembered-choice.ts'

export type RelayOnlyStore = ReturnType<typeof createRelayOnlyStore>

type Ports = { storage: Pick<Storage<Blob>, 'get' | 'set'>; clock: Pick<Clock, 'after'>; log: Log }

/** Whether calls go through a relay only, so that peers do not receive the user's network address. */
export function createRelayOnlyStore({ storage, clock, log }: Ports) {
  const hidden = createRememberedSwitch({ storage, log }, HIDE_ADDRESS_KEY)
  const isLate = signal(false)
  const isChosen = signal(false)
  /** True while the stored choice could not be read and the user made none. The network address is hidden meanwhile. */
  const unread = computed(() => isLate.value && !hidden.known.value && !isChosen.value)

  return {
    /** True if media must go through a relay. */
    on: computed(() => hidden.on.value || unread.value),
    /** False until the stored choice is read or cannot be read. Until then no peer may be connected. */
    known: computed(() => hidden.known.value || isLate.value),
    unread: unread as ReadonlySignal<boolean>,

    /** Never rejects. */
    async restore(): Promise<void> {
      const reading = hidden.restore().then(() => true)
      const isRead = await within(clock, STORED_MS, reading, false).catch(() => false)
      if (!isRead) log.error('The choice of hideNetworkAddress was not read')
      isLate.value = !isRead
    },

    choose(on: boolean): void {
      isChosen.value = true
      hidden.choose(on)
    },

    forget(): void {
      isLate.value = false
      isChosen.value = false
      hidden.forget()
    },
  }
}
