import { AppError } from '#protocol/errors.ts'

/** Whoever waits this long for a sign-in window has given up. */
const LOAD_TIMEOUT_MS = 15_000

/** Loads a provider's script; a failed one leaves nothing behind, so that the next try starts anew. */
export function loadScript(url: string, timeoutMs: number = LOAD_TIMEOUT_MS): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      clearTimeout(timer)
      script.remove()
      // Signing in over a broken network counts as cancelled.
      reject(new AppError('sign-in-cancelled', `${new URL(url).host} could not be reached`))
    }
    const timer = setTimeout(fail, timeoutMs)
    script.src = url
    script.async = true
    script.onload = () => {
      clearTimeout(timer)
      resolve()
    }
    script.onerror = fail
    document.head.append(script)
  })
}
