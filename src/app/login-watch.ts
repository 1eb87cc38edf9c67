import type { ReadonlySignal } from '@preact/signals-react'
import { type AppError, toAppError } from '#protocol/errors.ts'
import type { AccountStore } from '../account/state/account.ts'
import type { Navigation } from '../platform/navigation.ts'
import type { Api } from '../platform/ports.ts'
import type { VisitStore } from '../platform/state/visit.ts'

const LOGIN_PATH = '/login'

type Ports = {
  /** Returns a text that differs between two users and between two login sessions. */
  person: () => string
  /** Called with the path of the sign-in page. */
  signedOut: (to: string, error: AppError) => void
}

type Watched = {
  api: Api
  /** Called with the path at every change of screen. */
  entered(path: string): void
}

/**
 * Wraps the API. Calls `signedOut` when a request finds that the login session has ended; that opens the sign-in page.
 * It is called for the first such request only, until another screen was open. A request of the previous user says
 * nothing about the present user, and on the sign-in page nobody is signed in.
 */
export function watchLogin(api: Api, { person, signedOut }: Ports): Watched {
  let leaving = false
  return {
    api: {
      async request(name, input, signal) {
        const sender = person()
        try {
          return await api.request(name, input, signal)
        } catch (thrown) {
          const error = toAppError(thrown)
          if (error.code === 'refresh-failed' && !leaving && sender === person()) {
            leaving = true
            signedOut(LOGIN_PATH, error)
          }
          throw error
        }
      },
    },
    entered(path) {
      leaving = path === LOGIN_PATH
    },
  }
}

type LogoutPorts = {
  account: Pick<AccountStore, 'email' | 'loginEnded'>
  visit: Pick<VisitStore, 'userSessionId'>
  navigation: Pick<Navigation, 'go'>
  onLogoutElsewhere: (listener: (sessionId: string) => void) => void
}

/**
 * Shows the sign-in page after a logout in another tab. Subscribes when the first user has signed in: a page without a
 * user needs no such news, and stays in the back/forward cache.
 */
export function followLogouts({ account, visit, navigation, onLogoutElsewhere }: LogoutPorts): void {
  const stopWaiting = account.email.subscribe((email) => {
    if (email === '') return
    stopWaiting()
    onLogoutElsewhere((sessionId) => {
      if (sessionId !== visit.userSessionId.peek()) return
      account.loginEnded()
      navigation.go('/')
    })
  })
}

/** Calls `forget` when a user has left, and when another user has come instead. */
export function onOtherUser(email: ReadonlySignal<string>, forget: () => void): void {
  let known = email.peek()
  email.subscribe((now) => {
    if (known !== '' && now !== known) forget()
    known = now
  })
}
