import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { Provider } from '#protocol/fields.ts'
import type { OwnLogin } from '#protocol/logins.ts'
import type { Api, Log } from '../domain/ports.ts'

export type LoginStore = ReturnType<typeof createLoginStore>

/** Where this person is signed in, and the ways to end a login. */
export function createLoginStore({ api, log }: { api: Api; log: Log }) {
  const logins = signal<OwnLogin[] | null>(null)
  const source = signal<Provider | null>(null)
  const changing = signal(false)

  async function load(): Promise<boolean> {
    try {
      const read = await api.call('readLogins', undefined)
      logins.value = read.logins
      source.value = read.source
      return true
    } catch (thrown) {
      log.error('The logins could not be read', thrown)
      return false
    }
  }

  /** Resolves with true when the server has done it and the list is read anew. One at a time. */
  async function change(work: () => Promise<unknown>): Promise<boolean> {
    if (changing.peek()) return false
    changing.value = true
    try {
      await work()
      return await load()
    } catch (thrown) {
      log.error('A login could not be ended', thrown)
      return false
    } finally {
      changing.value = false
    }
  }

  return {
    /** The login of this browser first; null until they are read. */
    logins: logins as ReadonlySignal<OwnLogin[] | null>,
    /** The provider of the account; null until the logins are read. */
    source: source as ReadonlySignal<Provider | null>,
    /** True while a login is being ended. */
    changing: changing as ReadonlySignal<boolean>,

    /** Resolves with false where they could not be read. Never rejects. */
    load,
    end: (id: string): Promise<boolean> => change(() => api.call('endLogin', { id })),
    endOthers: (): Promise<boolean> => change(() => api.call('endOtherLogins', undefined)),

    /** Nothing of one person is left for the next. */
    forget(): void {
      logins.value = null
      source.value = null
    },
  }
}
