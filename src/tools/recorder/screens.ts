import { limits } from './findings.ts'
import type { Tally } from './tally.ts'

/** The screens by name, whose code is loaded when it is needed. */
export type Screens = Readonly<Record<string, { load(): Promise<unknown>; loaded(): unknown }>>

/** Follows how long the code of each screen takes from the first request for it. */
export function followScreens(screens: Screens, tally: Tally): void {
  for (const [name, screen] of Object.entries(screens)) {
    if (screen.loaded()) continue
    const { load } = screen
    let since: number | null = null
    function ready(): void {
      const ms = since === null ? 0 : performance.now() - since
      since = null
      screen.load = load
      if (ms > limits['late-chunk'].most) tally.add(name, ms)
    }
    screen.load = () => {
      const loading = load()
      if (since === null)
        loading.then(ready, () => {
          since = null
        })
      since ??= performance.now()
      return loading
    }
  }
}
