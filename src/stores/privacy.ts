import type { Log, Storage } from '../domain/ports.ts'
import { createRememberedSwitch } from './remembered-switch.ts'

export type PrivacyStore = ReturnType<typeof createPrivacyStore>

/** Whether this user's network address is kept from the people they meet. */
export function createPrivacyStore(storage: Pick<Storage<Blob>, 'get' | 'set'>, log: Log) {
  const hidden = createRememberedSwitch({ storage, log }, 'hideNetworkAddress')
  return {
    /** True: media goes through a relay or not at all. */
    relayOnly: hidden.on,
    /** False until what was remembered has been read: before that nobody may be connected. */
    known: hidden.known,
    restore: hidden.restore,
    hideAddress: hidden.choose,
  }
}
