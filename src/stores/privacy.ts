import type { Log, Storage } from '../domain/ports.ts'
import { createRememberedSwitch } from './remembered-switch.ts'

export type PrivacyStore = ReturnType<typeof createPrivacyStore>

/** Whether calls go through a relay only, so that peers do not receive the user's network address. */
export function createPrivacyStore(storage: Pick<Storage<Blob>, 'get' | 'set'>, log: Log) {
  const hidden = createRememberedSwitch({ storage, log }, 'hideNetworkAddress')
  return {
    /** True if media must go through a relay. */
    relayOnly: hidden.on,
    /** False until the stored setting has been read; no peer may be connected before. */
    known: hidden.known,
    restore: hidden.restore,
    hideAddress: hidden.choose,
  }
}
