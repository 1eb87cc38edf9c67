import { AppError } from '#protocol/errors.ts'
import type { Identity, IdentityProvider, SignInWindow } from '../domain/ports.ts'

/** Signs in with a provider in this window and closes it in the end. Null stands for a window that the browser blocked. */
export async function identify(
  load: () => Promise<IdentityProvider<Window>>,
  popup: SignInWindow<Window> | null,
): Promise<Identity> {
  if (!popup) throw new AppError('popup-blocked')
  try {
    const provider = await popup.whileOpen(load())
    return await provider.signIn(popup)
  } finally {
    popup.close()
  }
}
