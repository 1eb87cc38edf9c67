import { type AppError, toAppError } from '#protocol/errors.ts'
import type { Api } from '../platform/ports.ts'

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
 * Wraps the API. Calls `signedOut`, which opens the sign-in page, when a request finds that the login session has
 * ended. It is called only for the first such request until another screen opens. It is not called for a request of an
 * earlier user, nor on the sign-in page, where nobody is signed in.
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
