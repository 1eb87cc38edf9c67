import type { PendingLogout } from '../../../src/account/ports.ts'

/** Keeps a logout in memory; `sessionId` is one that an earlier page has left. */
export function fakePendingLogout(sessionId = ''): PendingLogout {
  let kept = sessionId
  return {
    read: () => kept,
    keep(over) {
      kept = over
    },
    settle(heard) {
      if (kept === heard) kept = ''
    },
    alone: async (signal, task) => {
      if (signal.aborted) throw new Error('Aborted')
      await task()
    },
  }
}
