import type { Clock } from '../../platform/clock.ts'
import type { Api } from '../../platform/ports.ts'
import type { ToastStore } from '../../platform/state/toasts.ts'
import type { VisitStore } from '../../platform/state/visit.ts'
import { type StartUp, startUp } from '../rules/start-up.ts'
import type { LoginSession } from './login-session.ts'
import type { LogoutDelivery } from './logout-delivery.ts'
import type { User } from './user.ts'

export type FirstScreen = StartUp['to']

export type StartPorts = { api: Api; clock: Pick<Clock, 'now'> }

/** Starts the visit, and the next one when the login is over. */
export function createStart(
  { api, clock }: StartPorts,
  visit: VisitStore,
  toasts: ToastStore,
  user: User,
  session: LoginSession,
  delivery: LogoutDelivery,
) {
  const { email, forget, clearStored } = user
  /** A start-up that began before the splash screen was rendered, until `start` takes it over. */
  let ahead: Promise<FirstScreen | null> | null = null

  function loginEnded(): void {
    const sessionId = visit.userSessionId.peek()
    if (email.peek() !== '') void clearStored()
    forget()
    visit.forget()
    visit.begin(sessionId)
    visit.mark('splashScreenPageLoaded')
  }

  /** Starts after a logout that the server may not have heard of: whatever the server answers, this browser is not signed in. */
  function startLoggedOut(): void {
    forget()
    visit.forget()
    visit.mark('splashScreenPageLoaded')
    delivery.deliver()
    session.takeUpNext()
  }

  function takeUp(start: StartUp): void {
    session.takeUp(start)
    if (start.to === 'login') {
      loginEnded()
      return
    }
    if (start.email !== email.peek()) forget()
    email.value = start.email
    user.nickName.value = start.nickName
  }

  async function run(): Promise<FirstScreen | null> {
    try {
      const start = delivery.isPending() ? null : startUp(await api.request('readStart', undefined), clock.now())
      if (!start || delivery.isPending()) {
        startLoggedOut()
        return 'login'
      }
      takeUp(start)
      if (start.to === 'login') return 'login'
      user.first.keep(start.first)
      void user.picture.restore()
      visit.mark('dashboardPageCanBeLoadedFromSplashScreen')
      return 'dashboard'
    } catch (thrown) {
      toasts.fail(thrown, 'start-up')
      return null
    }
  }

  return {
    /**
     * Runs the start-up flow and resolves with the first screen; null after a failure, which the error popup shows.
     * After a logout that the server has not received, it neither waits for a response nor uses one that is under way.
     */
    start(): Promise<FirstScreen | null> {
      const begun = ahead ?? run()
      ahead = null
      return begun
    },

    /** Begins the start-up flow, which the next `start` takes over. */
    startAhead(): Promise<FirstScreen | null> {
      ahead = run()
      return ahead
    },

    /** Adopts the login session and the user of a later start. Without a user the sign-in page may open. */
    takeUp,

    /** Called when a request finds that the login is over: the visit restarts at the sign-in page in the same session. */
    loginEnded,

    /** Removes all data of the user from this browser at once; the server is told as soon as it can be reached. */
    logout(): void {
      delivery.begin(visit.userSessionId.peek())
      ahead = null
      void clearStored()
      forget()
      visit.forget()
      session.entry.begin(false)
    },
  }
}
