import type { AppError } from '#protocol/errors.ts'

/**
 * In development, in tests and in the profiling build, an error of a worker shows the caller's stack after the
 * worker's, and a slow request is logged with the caller's stack. A production build contains none of this.
 */
export const JOINS_STACKS = import.meta.env.MODE !== 'production'

/** A request that takes longer is slow. */
export const SLOW_REQUEST_MS = 1_000

/** Returns the frames of a stack without the line that names the error, which Firefox and Safari do not write. */
function framesOf(stack: string | undefined): string {
  const lines = (stack ?? '').split('\n')
  const first = lines.findIndex((line) => /^\s+at |@/.test(line))
  return first < 0 ? '' : lines.slice(first).join('\n')
}

/** Returns the stack of what a method threw, for the caller's thread. It begins with the error's name and message in every browser. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}\n${framesOf(thrown.stack)}` : ''
}

/** Sets the stack of an error that came from a worker: the worker's own stack, then the caller's. */
export function joinStacks(error: AppError, label: string, caller: Error): void {
  error.stack = `${error.stack}\n    --- request ${label} was sent by ---\n${framesOf(caller.stack)}`
}

/** Logs a request with its caller's stack as soon as it is slow. Returns a function to be called when the request has ended. */
export function watchSlowRequest(label: string, caller: Error): () => void {
  const timer = setTimeout(() => {
    console.warn(`slow request ${label}: over ${SLOW_REQUEST_MS} ms, sent by\n${framesOf(caller.stack)}`)
  }, SLOW_REQUEST_MS)
  return () => clearTimeout(timer)
}
