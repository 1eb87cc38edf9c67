import { LOGIN_CHECK_MS } from '#protocol/constants.ts'
import { toAppError } from '#protocol/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import { type StartUp, startUp } from '../rules/start-up.ts'

type Ports = {
  api: Api
  clock: Clock
  log: Log
  /** False while the page is hidden or offline, and in a match, since only the hub ends a match. */
  mayCheck: () => boolean
  /** Called before each request. Returns the function that receives the response. */
  onRequest: () => (start: StartUp) => void
}

/** Validates the login at intervals with the request of the start, while a screen of a signed-in user is open. */
export function createLoginCheck({ api, clock, log, mayCheck, onRequest }: Ports) {
  let validatedAt = clock.now()
  let isOn = false
  /**
   * The request under way; null if there is none or its response is no longer wanted. It is never aborted: the new
   * refresh token in its response would be lost, and the next use of the old token would end the login.
   */
  let request: object | null = null
  let cancelTimer = () => {}

  function remainingMs(): number {
    // The device's clock may have been set back.
    validatedAt = Math.min(validatedAt, clock.now())
    return Math.max(0, validatedAt + LOGIN_CHECK_MS - clock.now())
  }

  function wait(ms: number): void {
    cancelTimer()
    cancelTimer = clock.after(ms, () => {
      const leftMs = remainingMs()
      if (leftMs > 0) wait(leftMs)
      else checkIfDue()
    })
  }

  function checkIfDue(): void {
    if (!isOn || request || remainingMs() > 0 || !mayCheck()) return
    void check(onRequest())
  }

  async function check(answer: (start: StartUp) => void): Promise<void> {
    const own = {}
    request = own
    try {
      const start = startUp(await api.request('readStart', undefined), clock.now())
      // If there is a match meanwhile, it must not be disturbed. The next call of `wake` validates again.
      if (request !== own || !mayCheck()) return
      validatedAt = clock.now()
      answer(start)
    } catch (thrown) {
      // A failure of network or server says nothing about the login.
      if (request === own) log.error(`The login was not validated: ${toAppError(thrown).code}`, thrown)
    } finally {
      if (request === own) {
        request = null
        wait(remainingMs() || LOGIN_CHECK_MS)
      }
    }
  }

  return {
    /** Called when the start of a visit has validated the login. */
    validated(): void {
      validatedAt = clock.now()
    },
    /** Begins to validate, at once if validation is due. */
    start(): void {
      if (isOn) return
      isOn = true
      wait(remainingMs())
    },
    stop(): void {
      isOn = false
      cancelTimer()
      request = null
    },
    /** Called when the result of `mayCheck` may have become true. */
    wake: checkIfDue,
  }
}
