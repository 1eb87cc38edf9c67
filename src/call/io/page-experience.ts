import { onINP } from 'web-vitals'
import { browserFamily } from '../../platform/rules/browser-family.ts'

/** Measures INP of this page from now on, and of the slow presses before; `inpMs` returns null until there is one. */
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
