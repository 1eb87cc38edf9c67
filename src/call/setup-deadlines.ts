import type { Clock } from '../domain/ports.ts'

/** What a match waits for, one after the other; the Caller starts with the answer. */
export type SetupStep = 'offer' | 'answer' | 'connection' | 'picture'

/** Share of the whole match timeout that each step may take. */
const shares: Record<SetupStep, number> = { offer: 0.5, answer: 0.5, connection: 0.6, picture: 0.5 }

/** A deadline for each step between match and picture, inside the one for all of them. */
export function createSetupDeadlines(clock: Clock, wholeMs: number) {
  let stop = () => {}
  return {
    /** The match waits for this now. */
    waitFor(step: SetupStep, overdue: (step: SetupStep) => void): void {
      stop()
      stop = clock.after(wholeMs * shares[step], () => overdue(step))
    },
    done(): void {
      stop()
      stop = () => {}
    },
  }
}
