import { span } from '#workers/trace.ts'

/** Draws, for the profiler, how long a part of the sign-in waits for the provider. */
export async function timed<T>(label: string, waiting: Promise<T>): Promise<T> {
  const since = performance.now()
  try {
    return await waiting
  } finally {
    span('Sign-in', label, since)
  }
}
