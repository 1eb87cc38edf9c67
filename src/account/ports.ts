import type { Provider } from '#protocol/fields.ts'
import type { Crop, PictureSize } from './rules/crop.ts'

/** The browser's AbortSignal, whose type is not available in this layer. */
type Signal = { readonly aborted: boolean }

/** A logout that the server may not have received, stored in this browser where the logout does not clear it. */
export interface PendingLogout {
  /** Returns the ended login session; empty if there is none. */
  read(): string
  /** Keeps an ended login session, and tells the other tabs. */
  keep(sessionId: string): void
  /** Called when the server has ended this login session. */
  settle(sessionId: string): void
  /**
   * Runs `task` while no other tab runs its own: the response to one tab would clear what the other restores. Rejects if aborted before.
   */
  alone(signal: Signal, task: () => Promise<void>): Promise<void>
}

/**
 * Makes profile pictures from files and from the camera, off the UI thread. Rejects with `encode-failed` if a picture cannot be decoded.
 */
export interface PictureEditor<Stream, Blob> {
  /** Resolves with the size of the upright picture. */
  measure(picture: Blob): Promise<PictureSize>
  /** Resolves with the cropped square as a small JPEG. */
  crop(picture: Blob, crop: Crop): Promise<Blob>
  /** Resolves with the camera's current picture. Rejects with `camera-refused` without a camera. */
  still(stream: Stream): Promise<Blob>
}

/** The user's data from the identity provider. */
export type Identity = {
  source: Provider
  accessToken: string
  emailAddress: string
  firstName: string
  lastName: string
  profilePictureUrl: string
}

/** The window of a provider's sign-in, opened during the click. `Window` is the browser's, whose type is not available in this layer. */
export interface SignInWindow<Window> {
  readonly window: Window
  /** Resolves or rejects as `work` does; rejects with `sign-in-cancelled` if the user closes the window before. */
  whileOpen<T>(work: Promise<T>): Promise<T>
  close(): void
}

/** Call it during a click. Resolves with null if the browser blocks the window. */
export type OpenSignInWindow<Window> = () => Promise<SignInWindow<Window> | null>

export interface IdentityProvider<Window> {
  /** Shows the provider's page. Rejects with `popup-blocked`, `sign-in-cancelled` or `unknown`. The caller closes it. */
  signIn(popup: SignInWindow<Window>): Promise<Identity>
}

/** A loader for each provider. Null for a provider that is not configured and has no button. */
export type IdentityProviders<Window> = Record<Provider, (() => Promise<IdentityProvider<Window>>) | null>

export type DeviceInfo = {
  browser: string
  os: string
  deviceType: 'mobile' | 'tablet' | 'desktop' | 'unknown'
}
