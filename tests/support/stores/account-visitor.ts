import type { DeviceInfo, Identity } from '../../../src/account/ports.ts'
import { createAccountStore } from '../../../src/account/state/account.ts'
import { createToastStore } from '../../../src/platform/state/toasts.ts'
import { createVisitStore } from '../../../src/platform/state/visit.ts'
import { fakeClock } from '../fake-clock.ts'
import { fakeApi } from '../fakes/fake-api.ts'
import { fakePendingLogout } from '../fakes/fake-pending-logout.ts'
import { silentLog } from '../silent-log.ts'

export const ada: Identity = {
  source: 'Google',
  accessToken: 'token',
  emailAddress: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'NA',
  profilePictureUrl: 'https://images.example/ada.png',
}
export const picture = new Blob(['png'], { type: 'image/png' })
const device: DeviceInfo = {
  os: 'NA',
  browser: 'NA',
  deviceType: 'desktop',
}
export const valid = () => ({ message: 'Valid' })

/** The account store of a visit over fake ports; `stored` is what the browser stores. */
export function visitor(
  changed: Parameters<typeof fakeApi>[0] = {},
  identity: () => Promise<Identity> = async () => ada,
  fetchPicture: () => Promise<Blob> = async () => picture,
  pendingLogout = fakePendingLogout(),
  loadSignIn: () => Promise<unknown> = async () => {},
) {
  const api = fakeApi({
    setTokens: valid,
    addOauthUser: () => ({ message: 'Valid', profile: null }),
    addProfile: valid,
    setProfileCookie: valid,
    logout: valid,
    ...changed,
  })
  const log = silentLog()
  const clock = fakeClock()
  const visit = createVisitStore()
  const toasts = createToastStore(clock, log)
  const stored = new Map<string, Blob | string>()
  /** What later log entries carry: login session and clock offset. */
  const identified: [string, number][] = []
  const provider = async () => ({ signIn: identity })
  visit.begin('s1')
  const account = createAccountStore(
    {
      api,
      log,
      storage: {
        get: async (key) => stored.get(key),
        set: async (key, value) => void stored.set(key, value),
        clear: async (kept) => {
          // The cookie choice is in the local storage.
          for (const key of stored.keys()) if (![...kept, 'cookieChoice'].includes(key)) stored.delete(key)
        },
      },
      providers: { Google: provider, Facebook: null },
      deviceInfo: async () => device,
      identify: (id, clockOffsetMs) => void identified.push([id, clockOffsetMs]),
      fetchPicture,
      keepCookieChoice: () => {
        const choice = stored.get('cookieChoice')
        return () => void (choice !== undefined && stored.set('cookieChoice', choice))
      },
      loadSignIn,
      whenIdle: (task) => task(),
      clock,
      pendingLogout,
    },
    visit,
    toasts,
  )
  return { api, log, clock, pendingLogout, visit, toasts, stored, identified, account }
}
