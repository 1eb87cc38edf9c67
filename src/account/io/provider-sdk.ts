import { NOT_AVAILABLE } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import { span } from '#workers/trace.ts'

/** Longest wait for a provider's script: users do not wait longer for a sign-in window. */
const LOAD_TIMEOUT_MS = 15_000

/** Loads a provider's script. Removes a script element that failed, so that the next attempt loads it again. */
export function loadScript(url: string, timeoutMs: number = LOAD_TIMEOUT_MS): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      clearTimeout(timer)
      script.remove()
      // The page cannot distinguish a blocker of trackers from a network that does not work.
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

/**
 * Runs `start`, in which a provider's SDK calls `window.open`, and gives it `popup`: the click is long past, so the
 * browser would block a new window. The SDK may also call it later, until the returned function is called.
 */
export function lendWindow(popup: Window, start: () => void): () => void {
  const { open } = window
  function takeBack(): void {
    window.open = open
  }
  window.open = (url, name) => {
    takeBack()
    // An SDK may send a form to its window by its name.
    if (name !== undefined && !name.startsWith('_')) popup.name = name
    if (url !== undefined && url !== '') popup.location.replace(url)
    return popup
  }
  try {
    start()
  } catch (thrown) {
    takeBack()
    throw thrown
  }
  return takeBack
}

/** Records a span for the profiler: the time that a part of the sign-in waits for the provider. */
export async function timed<T>(label: string, waiting: Promise<T>): Promise<T> {
  const since = performance.now()
  try {
    return await waiting
  } finally {
    span('Sign-in', label, since)
  }
}

/** Returns 'NA' for a missing field. */
export function orNotAvailable(text: string | null | undefined): string {
  return text?.trim() || NOT_AVAILABLE
}

/** Splits a full name at its first space; a missing part is 'NA'. */
export function splitName(name: string | null | undefined): { firstName: string; lastName: string } {
  const [first, ...rest] = (name ?? '').trim().split(/\s+/)
  return { firstName: orNotAvailable(first), lastName: orNotAvailable(rest.join(' ')) }
}
