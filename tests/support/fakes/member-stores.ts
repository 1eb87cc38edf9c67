import { createAccountStore } from '../../../src/account/state/account.ts'
import { createLobbyStore } from '../../../src/lobby/state/lobby.ts'
import { createToastStore } from '../../../src/platform/state/toasts.ts'
import { createVisitStore } from '../../../src/platform/state/visit.ts'
import { fakeClock } from '../fake-clock.ts'
import { silentLog } from '../silent-log.ts'
import type { fakeApi } from './fake-api.ts'
import { fakePendingLogout } from './fake-pending-logout.ts'

/** Stores of a visit that has asked `api` for its start; `to` is the screen that the start chose. */
export async function startedStores(api: ReturnType<typeof fakeApi>) {
  const clock = fakeClock()
  const log = silentLog()
  const visit = createVisitStore()
  const toasts = createToastStore(clock, log)
  const account = createAccountStore(
    {
      api,
      log,
      storage: { get: async () => undefined, set: async () => {}, clear: async () => {} },
      providers: { Google: null, Facebook: null },
      deviceInfo: () => Promise.reject(new Error('not asked for')),
      identify: () => {},
      fetchPicture: () => Promise.reject(new Error('not asked for')),
      keepCookieChoice: () => () => {},
      loadSignIn: async () => {},
      whenIdle: () => {},
      clock,
      pendingLogout: fakePendingLogout(),
    },
    visit,
    toasts,
  )
  const to = await account.start()
  const lobby = createLobbyStore({ api, clock, log, whenIdle: (task) => task() }, visit, account, toasts)
  return { api, clock, log, visit, toasts, account, lobby, to }
}
