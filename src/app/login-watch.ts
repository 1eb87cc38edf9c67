import { type AppError, toAppError } from '#protocol/errors.ts'
import type { Api } from '../domain/ports.ts'

const LOGIN_PATH = '/login'

type Watched = {
  api: Api
  /** Called with the path at every change of screen. */
  entered(path: string): void
}

/**
 * Wraps the API. Calls `signedOut` when a request finds that the login session has ended; that opens the sign-in page. It is
 * called for the first such request only, until another screen was open.
 */
export function watchLogin(api: Api, signedOut: (to: string, error: AppError) => void): Watched {
  let leaving = false
  return {
    api: {
      async request(name, input, signal) {
        try {
          return await api.request(name, input, signal)
        } catch (thrown) {
          const error = toAppError(thrown)
          if (error.code === 'refresh-failed' && !leaving) {
            leaving = true
            signedOut(LOGIN_PATH, error)
          }
          throw error
        }
      },
    },
    entered(path) {
      if (path !== LOGIN_PATH) leaving = false
    },
  }
}
