import { type AppError, toAppError } from '#protocol/errors.ts'
import type { Api } from '../domain/ports.ts'

const LOGIN_PATH = '/login'

type Watched = {
  api: Api
  /** Told with the path at every change of the screen. */
  entered(path: string): void
}

/**
 * A login that is over ends the visit wherever a call notices it. All calls of a screen do at the same time: `signedOut` runs for
 * the first, which leads the visitor to the sign-in page, and again only after another screen.
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
