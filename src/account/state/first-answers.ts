import { MINUTE_MS } from '#protocol/durations.ts'
import type { FirstAnswers } from '../rules/start-up.ts'

/** Age above which an answer of the start is not shown: the dashboard may open after a long wait for the camera. */
const FRESH_MS = MINUTE_MS

/** The start's answers for the dashboard. Each is returned once. */
export function createFirstAnswers(now: () => number) {
  let answers: FirstAnswers = {}
  let at = 0
  return {
    keep(next: FirstAnswers): void {
      answers = next
      at = now()
    },
    take<Name extends keyof FirstAnswers>(name: Name): NonNullable<FirstAnswers[Name]> | null {
      const { [name]: answer, ...others } = answers
      answers = others as FirstAnswers
      return now() - at < FRESH_MS ? ((answer ?? null) as NonNullable<FirstAnswers[Name]> | null) : null
    },
    forget(): void {
      answers = {}
    },
  }
}
