import { AppError } from '#protocol/errors.ts'

/** A user does not wait longer than this for a sign-in window. */
const LOAD_TIMEOUT_MS = 15_000

/** Loads a provider's script. A failed script element is removed, so that the next attempt starts again. */
export function loadScript(url: string, timeoutMs: number = LOAD_TIMEOUT_MS): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      clearTimeout(timer)
      script.remove()
      // The browser does not tell a blocker of trackers from a network that does not work.
      reject(new AppError('sign-in-unreachable', `${new URL(url).host} could not be reached`))
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
