import { type ReadonlySignal, signal } from '@preact/signals-react'
import { type ErrorCode, toAppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { OwnLogin } from '#protocol/logins.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import type { IdentityProviders, OpenSignInWindow } from '../ports.ts'
import { identify } from './sign-in.ts'

export type LoginPorts = { api: Api; providers: IdentityProviders<Window>; log: Log }

/** Outcome when the user signs in again. */
export type SignInAgain = 'done' | 'cancelled' | 'blocked' | 'other-account' | 'failed'

const outcomeOfCode: Partial<Record<ErrorCode, SignInAgain>> = {
  'sign-in-cancelled': 'cancelled',
  'popup-blocked': 'blocked',
  'other-account': 'other-account',
}

export type LoginStore = ReturnType<typeof createLoginStore>

/** Lists and ends the user's login sessions, and lets the user sign in again. */
export function createLoginStore({ api, providers, log }: LoginPorts) {
  const logins = signal<OwnLogin[] | null>(null)
  const source = signal<Provider | null>(null)
  const changing = signal(false)
  const signingIn = signal(false)
  let reading = {}

  async function load(): Promise<boolean> {
    const started = {}
    reading = started
    try {
      const read = await api.request('readLogins', undefined)
      if (reading !== started) return true
      logins.value = read.logins
      source.value = read.source
      return true
    } catch (thrown) {
      log.error('The logins could not be read', thrown)
      return false
    }
  }

  /**
   * Runs `work`, which ends login sessions that are not `kept`. Resolves with true if the server has done so; then reads the list again.
   */
  async function end(work: () => Promise<unknown>, kept: (login: OwnLogin) => boolean): Promise<boolean> {
    if (changing.peek()) return false
    changing.value = true
    try {
      await work()
      logins.value = logins.peek()?.filter(kept) ?? null
      await load()
      return true
    } catch (thrown) {
      log.error('A login could not be ended', thrown)
      return false
    } finally {
      changing.value = false
    }
  }

  return {
    /** The login sessions, this browser's first; null until they are read. */
    logins: logins as ReadonlySignal<OwnLogin[] | null>,
    /** The account's provider; null until the login sessions are read. */
    source: source as ReadonlySignal<Provider | null>,
    /** True while a login session is being ended. */
    changing: changing as ReadonlySignal<boolean>,
    /** True while the user signs in again. */
    signingIn: signingIn as ReadonlySignal<boolean>,

    /** Reads the login sessions. Resolves with false on failure. Never rejects. */
    load,
    end: (id: string): Promise<boolean> =>
      end(
        () => api.request('endLogin', { id }),
        (login) => login.id !== id,
      ),
    endOthers: (): Promise<boolean> =>
      end(
        () => api.request('endOtherLogins', undefined),
        (login) => login.isCurrent,
      ),

    /**
     * Signs in with the provider again, in a window that `open` opens. Call it during a click. Login session and
     * profile do not change. Never rejects.
     */
    async signInAgain(source: Provider, open: OpenSignInWindow<Window>): Promise<SignInAgain> {
      const provider = providers[source]
      if (!provider || signingIn.peek()) return 'failed'
      signingIn.value = true
      try {
        const { accessToken } = await identify(provider, open)
        await api.request('signInAgain', { source, sourceAccessToken: accessToken })
        return 'done'
      } catch (thrown) {
        const outcome = outcomeOfCode[toAppError(thrown).code] ?? 'failed'
        if (outcome === 'failed') log.error('Signing in again failed', thrown)
        return outcome
      } finally {
        signingIn.value = false
      }
    },

    /** Clears the list, and ignores a response that arrives later. */
    forget(): void {
      reading = {}
      logins.value = null
      source.value = null
    },
  }
}
