import { AppError, type ErrorCode, toAppError } from '#protocol/errors.ts'
import { isRefusedForGood } from './call-error.ts'

/** The ids under which a failed refresh is logged. */
const refreshErrorIds: Partial<Record<ErrorCode, number>> = {
  timeout: 1002,
  'network-error': 1003,
  'server-unreachable': 1004,
  'invalid-response': 1005,
}
const OTHER_REFRESH_ERROR_ID = 1006

export interface TokenRefresh {
  /**
   * Sends; after a 401 that is about the login refreshes the login, once for all calls that meet one at the same time, and
   * sends a last time. Where `signal` ends the wait it rejects with `aborted`; the refresh goes on for the others.
   */
  withLogin<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/**
 * `refresh` resolves when the login is fresh again. A refusal of the server ends the login: `refresh-failed`. A refresh that
 * did not get through says nothing about the login and rejects with its own code.
 */
export function createTokenRefresh(refresh: () => Promise<void>, log: (message: string) => void): TokenRefresh {
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
    async withLogin(send, signal) {
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

/** A 401 about the token of an identity provider leaves the login as it is. */
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
  return typeof status === 'number' ? isRefusedForGood(status) : code === 'login-required'
}
