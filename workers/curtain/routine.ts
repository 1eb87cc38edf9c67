import type { CurtainWorker, EndedRoutineLook } from './contract.ts'

/** Looks at pictures at their times in the worker, so that the page has nothing to do for a look that finds nothing. */
export function createRoutine(lookAt: CurtainWorker['lookAt']): Pick<CurtainWorker, 'keepLooking' | 'interrupt'> {
  let isInterrupted = false
  let wake = () => {}

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    async keepLooking(routine, forMs) {
      isInterrupted = false
      const startedAt = performance.now()
      const now = () => performance.now() - startedAt
      const due = routine.map(({ inMs }) => inMs)
      const looks: EndedRoutineLook[] = []
      for (;;) {
        const at = Math.min(...due)
        const index = due.indexOf(at)
        const next = routine[index]
        if (!next || at > forMs) return looks
        await pause(at - now())
        if (isInterrupted) return looks
        const startedMs = now()
        const seen = await lookAt(next.id, next.of)
        const endedMs = now()
        looks.push({ index, startedMs, endedMs, flagged: seen?.flagged ?? null, state: seen?.state ?? null })
        if (isInterrupted || seen?.flagged !== false) return looks
        due[index] = Math.max(startedMs + next.everyMs, 2 * endedMs - startedMs)
      }
    },

    async interrupt() {
      isInterrupted = true
      wake()
    },
  }
}
