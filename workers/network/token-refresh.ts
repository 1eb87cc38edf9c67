import { AppError, type ErrorCode, toAppError } from '#protocol/errors.ts'
import { isPermanentRejection } from './request-error.ts'

/** Numbers by which the log names the cause of a failed refresh. */
const refreshErrorIds: Partial<Record<ErrorCode, number>> = {
  timeout: 1002,
  'network-error': 1003,
  'server-unreachable': 1004,
  'invalid-response': 1005,
}
const OTHER_REFRESH_ERROR_ID = 1006

/**
 * `refresh` resolves when the access token is renewed. If the server rejects the refresh, the login session has ended:
 * `refresh-failed`. A refresh that fails in transport rejects with its own code and leaves the login session open.
 */
export function createTokenRefresh(refresh: () => Promise<void>, log: (message: string) => void) {
  let refreshed = 0
  let running: Promise<void> | null = null

  async function renew(): Promise<void> {
    try {
      await refresh()
      refreshed += 1
    } catch (thrown) {
      const error = toAppError(thrown)
      const id = refreshErrorIds[error.code] ?? OTHER_REFRESH_ERROR_ID
      log(`Access token not found or could not be renewed. (${id}: ${error.code})`)
      throw refusedBy(error) ? new AppError('refresh-failed', error.message, { cause: error.code }) : error
    } finally {
      running = null
    }
  }

  return {
    /** Resolves when no refresh is under way; its response would replace or clear the cookies of a new login. Never rejects. */
    settled: async () => running?.catch(() => {}),

    /**
     * Calls `send`. If it rejects with a 401 about the login session, refreshes the login session, once for all concurrent requests, and
     * calls `send` a second and last time. Rejects with `aborted` after `signal`; the refresh continues for the other requests.
     */
    async withLogin<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const before = refreshed
      try {
        return await send()
      } catch (error) {
        if (!isLoginRefused(error)) throw error
        if (refreshed === before) {
          running ??= renew()
          await orAborted(running, signal)
        }
        return send()
      }
    },
  }
}

/** A 401 about an identity provider's token does not concern the login session. */
function isLoginRefused(error: unknown): boolean {
  return error instanceof AppError && error.details.status === 401 && error.code !== 'provider-refused'
}

function orAborted(refresh: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return refresh
  return new Promise((resolve, reject) => {
    const aborted = () => reject(new AppError('aborted'))
    if (signal.aborted) aborted()
    signal.addEventListener('abort', aborted)
    refresh.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}

function refusedBy({ code, details: { status } }: AppError): boolean {
  return typeof status === 'number' ? isPermanentRejection(status) : code === 'login-required'
}
