import { AppError } from '#protocol/errors.ts'
import type { SignInWindow } from '../../../src/account/ports.ts'

/** The window of a sign-in without a page in it; `shut` is what the user does, `isClosed` what has become of it. */
export function fakeSignInWindow(): SignInWindow<Window> & { shut(): void; isClosed(): boolean } {
  const closing = Promise.withResolvers<never>()
  closing.promise.catch(() => {})
  let closed = false
  return {
    window: {} as Window,
    whileOpen: (work) => Promise.race([work, closing.promise]),
    close: () => {
      closed = true
    },
    shut: () => closing.reject(new AppError('sign-in-cancelled')),
    isClosed: () => closed,
  }
}

/** Opens such a window in the place of the browser's. */
export const openFakeWindow = async () => fakeSignInWindow()
