import { AppError } from '#protocol/errors.ts'
import type { Identity, IdentityProvider, OpenSignInWindow } from '../ports.ts'

/** Signs in with a provider in a window that it opens, and closes it in the end. To be called in a click. */
export async function identify(
  load: () => Promise<IdentityProvider<Window>>,
  open: OpenSignInWindow<Window>,
): Promise<Identity> {
  const popup = await open()
  if (!popup) throw new AppError('popup-blocked')
  try {
    const provider = await popup.whileOpen(load())
    return await provider.signIn(popup)
  } finally {
    popup.close()
  }
}
