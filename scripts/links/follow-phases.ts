import type { Link, Network } from './links.ts'
import type { LinkClock } from './pipe.ts'

/** How long the last phase lasts before the first begins again. */
const LAST_PHASE_SECONDS = 30

/**
 * Calls `change` with the link of each phase when it begins, except for the first phase of the first round. A network
 * with one phase needs no timer. Returns a function that ends the calls.
 */
export function followPhases(
  { phases }: Network,
  change: (link: Link) => void,
  clock: Pick<LinkClock, 'after'>,
): () => void {
  let cancel = () => {}

  function waitIn(index: number): void {
    const next = phases[index + 1]
    const seconds = next ? next.fromSecond - (phases[index]?.fromSecond ?? 0) : LAST_PHASE_SECONDS
    cancel = clock.after(seconds * 1_000, () => enter(next ? index + 1 : 0))
  }

  function enter(index: number): void {
    const phase = phases[index]
    if (phase) change(phase.link)
    waitIn(index)
  }

  if (phases.length > 1) waitIn(0)
  return () => cancel()
}
