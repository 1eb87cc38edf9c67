import { onINP } from 'web-vitals'
import { browserFamily } from '../../platform/rules/browser-family.ts'

/** Measures INP, with slow presses before this call. `inpMs` returns null until a press was measured. */
export function createPageExperience() {
  let inp: number | null = null
  onINP(
    ({ value }) => {
      inp = value
    },
    { reportAllChanges: true },
  )
  return { browser: browserFamily(navigator.userAgent, navigator.maxTouchPoints), inpMs: () => inp }
}
