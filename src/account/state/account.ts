import { type ReadonlySignal, signal } from '@preact/signals-react'
import { formatProfileCookie } from '#protocol/cookies.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { StoredProfile } from '#protocol/rest.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Storage } from '../../platform/ports.ts'
import { browserKeys } from '../../platform/rules/browser-keys.ts'
import type { Resume, ToastStore } from '../../platform/state/toasts.ts'
import type { VisitStore } from '../../platform/state/visit.ts'
import { webpBlob } from '../../platform/state/webp-blob.ts'
import type { DeviceInfo, Identity, IdentityProvider, OpenSignInWindow } from '../ports.ts'
import { type NicknameRefusal, nicknameRefusal } from '../rules/nickname-refusal.ts'
import { type FirstAnswers, type StartUp, startUp } from '../rules/start-up.ts'
import { createDeviceEntry } from './device-entry.ts'
import { createFirstAnswers } from './first-answers.ts'
import { identify } from './identify.ts'
import { createLogoutDelivery, type LogoutPorts } from './logout-delivery.ts'
import { openLogin } from './open-login.ts'
import { createOwnPicture } from './own-picture.ts'
import { type ProfileInput, sendProfile } from './send-profile.ts'
import { showSignInFailure } from './show-sign-in-failure.ts'

/** Null for a provider that is not configured, which has no button. */
export type IdentityProviders = Record<Provider, (() => Promise<IdentityProvider<Window>>) | null>

export type AccountPorts = LogoutPorts & {
  storage: Storage<Blob>
  providers: IdentityProviders
  deviceInfo: () => Promise<DeviceInfo>
  /** Sets the session id and clock offset of all later log entries. */
  identify: (userSessionId: string, clockOffsetMs: number) => void
  fetchPicture: (url: string) => Promise<Blob>
  /** Runs a task when the page has nothing else to do. */
  whenIdle: (task: () => void) => void
  clock: Pick<Clock, 'now' | 'after'>
}

export type FirstScreen = StartUp['to']

export type AccountStore = ReturnType<typeof createAccountStore>

/** The user of this browser: start-up, sign-in, profile, logout. */
export function createAccountStore(ports: AccountPorts, visit: VisitStore, toasts: ToastStore) {
  const { api, log, storage, clock } = ports
  const email = signal('')
  const nickName = signal('')
  const picture = createOwnPicture(ports)
  const profile = signal<StoredProfile | null>(null)
  const refusal = signal<NicknameRefusal | null>(null)
  const signingIn = signal(false)
  const savingProfile = signal(false)
  const first = createFirstAnswers(clock.now)
  /** Server time minus client time. */
  let clockOffsetMs = 0
  const entry = createDeviceEntry({ ...ports, beginSession }, visit)
  /** A start-up that began before the splash screen was rendered, until it is taken over. */
  let ahead: Promise<FirstScreen | null> | null = null
  const delivery = createLogoutDelivery(ports)
  /** The begin of the visit after a logout; null unless it is under way. Never rejects. */
  let nextVisit: Promise<void> | null = null

  function beginSession(id: string): void {
    visit.begin(id)
    ports.identify(id, clockOffsetMs)
  }

  /** Clears what this page has of the user. */
  function forget(): void {
    picture.forget()
    email.value = ''
    nickName.value = ''
    profile.value = null
    refusal.value = null
    first.forget()
  }

  /** Clears what this browser stores of the user, not what belongs to the browser. Never rejects. */
  async function clearStored(): Promise<void> {
    try {
      await storage.clear(browserKeys)
    } catch (thrown) {
      log.error('What is stored of the user was not cleared', thrown)
    }
  }

  /** The login is over: the visit begins again at the sign-in page, in the same login session. */
  function loginEnded(): void {
    const sessionId = visit.userSessionId.peek()
    if (email.peek() !== '') void clearStored()
    forget()
    visit.forget()
    visit.begin(sessionId)
    visit.mark('splashScreenPageLoaded')
  }

  function takeUpSession(start: StartUp): void {
    clockOffsetMs = start.clockOffsetMs
    beginSession(start.sessionId)
    entry.begin(start.wantsEntry)
  }

  /** Takes up a new login session after a logout, once the server can be reached. Runs in the background; never rejects. */
  async function beginNextVisit(): Promise<void> {
    await delivery.settled()
    try {
      const start = startUp(await api.request('readStart', undefined), clock.now())
      if (visit.userSessionId.peek() === '') takeUpSession(start)
    } catch (thrown) {
      log.error('The visit after the logout has not begun', thrown)
    }
    nextVisit = null
  }

  /** A logout of which the server may not have heard: whatever it answers, this browser is not signed in. */
  function startLoggedOut(): void {
    forget()
    visit.forget()
    visit.mark('splashScreenPageLoaded')
    delivery.deliver()
    nextVisit ??= beginNextVisit()
  }

  /** Resolves when the login session may be signed in. */
  async function enter(): Promise<void> {
    await delivery.interrupt()
    await nextVisit
    await entry.ensure()
  }

  /** Resolves with false after a failure of the entry, which the error popup shows. */
  async function hasEntered(entered: Promise<void>): Promise<boolean> {
    try {
      await entered
      return true
    } catch (thrown) {
      toasts.fail(thrown, 'start-up')
      return false
    }
  }

  async function register(identity: Identity): Promise<void> {
    const { emailAddress, source } = identity
    await openLogin({ api, entry, visit }, identity)
    if (emailAddress !== email.peek()) {
      forget()
      await clearStored()
    }
    const [known] = await Promise.all([
      api.request('addOauthUser', {
        EmailAddress: emailAddress,
        FirstName: identity.firstName,
        LastName: identity.lastName,
        SourceName: source,
      }),
      picture.keep(identity.profilePictureUrl),
    ])
    // In place of the provider's picture.
    const chosen = known.profile?.picture
    if (chosen !== undefined) await picture.take(chosen === null ? null : webpBlob(chosen))
    first.forget()
    email.value = emailAddress
    profile.value = known.profile
  }

  function takeUp(start: StartUp): void {
    takeUpSession(start)
    if (start.to === 'login') {
      loginEnded()
      return
    }
    if (start.email !== email.peek()) forget()
    email.value = start.email
    nickName.value = start.nickName
  }

  async function runStart(): Promise<FirstScreen | null> {
    try {
      const start = delivery.isPending() ? null : startUp(await api.request('readStart', undefined), clock.now())
      if (!start || delivery.isPending()) {
        startLoggedOut()
        return 'login'
      }
      takeUp(start)
      if (start.to === 'login') return 'login'
      first.keep(start.first)
      void picture.restore()
      visit.mark('dashboardPageCanBeLoadedFromSplashScreen')
      return 'dashboard'
    } catch (thrown) {
      toasts.fail(thrown, 'start-up')
      return null
    }
  }

  return {
    email: email as ReadonlySignal<string>,
    nickName: nickName as ReadonlySignal<string>,
    /** An object URL of the profile picture; null if there is none. */
    picture: picture.url,
    /** The stored profile of a returning user; null before sign-in and on a first sign-in. */
    profile: profile as ReadonlySignal<StoredProfile | null>,
    /** Why the server refused the nickname of the last `saveProfile`; null if it did not. */
    nicknameRefusal: refusal as ReadonlySignal<NicknameRefusal | null>,
    /** Now by the server's clock, in ms: that of a device may be wrong by years. */
    serverNow: () => clock.now() + clockOffsetMs,
    signingIn: signingIn as ReadonlySignal<boolean>,
    savingProfile: savingProfile as ReadonlySignal<boolean>,
    offers: (source: Provider): boolean => ports.providers[source] !== null,

    /**
     * Runs the start-up flow and resolves with the first screen; null after a failure, which the error popup shows. After a logout that
     * the server has not heard of it waits for no response, and takes none that was on its way.
     */
    start(): Promise<FirstScreen | null> {
      const begun = ahead ?? runStart()
      ahead = null
      return begun
    },

    /** Begins the start-up flow, which the next `start` takes over. */
    startAhead(): Promise<FirstScreen | null> {
      ahead = runStart()
      return ahead
    },

    /** Takes up the login session of a later start, and its user; without one the sign-in page may open. */
    takeUp,

    /** Returns what the start has said for a part of the dashboard, once; null if it is to be asked for. */
    takeFirst: <Name extends keyof FirstAnswers>(name: Name) => first.take(name),

    /** Called when a request has found that the login is over. */
    loginEnded,

    /** Called when the user can act: what the sign-in needs is sent in the background, and what an earlier user has left is cleared. */
    signInShown(): void {
      entry.sendWhenIdle()
      if (email.peek() === '') ports.whenIdle(() => void clearStored())
    },

    /**
     * Resolves with true if the user is signed in and the welcome screen is next. A closed popup only stops the spinner. To be called in
     * a click, in which `open` opens the window.
     */
    async signIn(source: Provider, open: OpenSignInWindow<Window>): Promise<boolean> {
      const provider = ports.providers[source]
      if (!provider || signingIn.peek()) return false
      signingIn.value = true
      const entered = enter()
      // Handled after the popup, which the user sees at once.
      entered.catch(() => {})
      try {
        const identity = await identify(provider, open)
        if (!(await hasEntered(entered))) return false
        await register(identity)
        return true
      } catch (thrown) {
        showSignInFailure(toasts, source, thrown)
        return false
      } finally {
        signingIn.value = false
      }
    },

    /**
     * Sends the profile and sets its cookie. Resolves with true if the dashboard is next; false where the nickname was refused, which
     * `nicknameRefusal` says, after another failure, which the error popup shows, with `resume` as the ways on, or where the user has logged out meanwhile, in this tab or another.
     */
    async saveProfile(input: ProfileInput, resume?: Resume): Promise<boolean> {
      const own = email.peek()
      if (own === '') {
        toasts.fail(new AppError('email-missing'), 'welcome')
        return false
      }
      const isOver = () => email.peek() !== own
      savingProfile.value = true
      refusal.value = null
      try {
        await sendProfile(api, own, input, picture.file())
        if (isOver()) return false
        // From now on the server knows the date of birth, which cannot be changed any more.
        profile.value = { nickName: input.nickName, gender: input.gender, dateOfBirth: input.dateOfBirth }
        await api.request('setProfileCookie', {
          CookieValue: formatProfileCookie({ email: own, nickName: input.nickName }),
        })
        if (isOver()) return false
        nickName.value = input.nickName
        visit.mark('welcomePageLoaded')
        return true
      } catch (thrown) {
        if (isOver()) return false
        refusal.value = nicknameRefusal(toAppError(thrown).code)
        if (refusal.peek() === null) toasts.fail(thrown, 'welcome', resume)
        return false
      } finally {
        savingProfile.value = false
      }
    },

    /** Shows and keeps what the server has stored of the profile. */
    async takeProfile(stored: { nickName: string; picture: Blob | null }): Promise<void> {
      nickName.value = stored.nickName
      await picture.take(stored.picture)
    },

    /** Removes all data of the user from this browser at once; the server is told as soon as it can be reached. */
    logout(): void {
      delivery.begin(visit.userSessionId.peek())
      ahead = null
      void clearStored()
      forget()
      visit.forget()
      entry.begin(false)
    },
  }
}
