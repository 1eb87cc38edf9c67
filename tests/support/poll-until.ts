import { setTimeout as pause } from 'node:timers/promises'

const EVERY_MS = 20

/** Resolves when `holds` returns true; asks every 20 ms. Rejects with `failure()` after `withinMs`. */
export async function pollUntil(
  holds: () => boolean | Promise<boolean>,
  withinMs: number,
  failure: () => string,
): Promise<void> {
  const since = performance.now()
  while (!(await holds())) {
    if (performance.now() - since > withinMs) throw new Error(failure())
    await pause(EVERY_MS)
  }
}
