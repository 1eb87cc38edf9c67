import { AppError } from '#protocol/errors.ts'

/** Loads a provider's script; a failed one leaves nothing behind, so that the next try starts anew. */
export function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.async = true
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      // Signing in over a broken network counts as cancelled.
      reject(new AppError('sign-in-cancelled', `${new URL(url).host} could not be reached`))
    }
    document.head.append(script)
  })
}
