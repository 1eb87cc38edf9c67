import type {
  CLSMetricWithAttribution,
  INPMetricWithAttribution,
  LCPMetricWithAttribution,
} from 'web-vitals/attribution'

/** What the bench puts into a page. Each function here runs in the page alone, so it refers to nothing outside itself. */

export type Vitals = {
  LCP?: { value: number; attribution: LCPMetricWithAttribution['attribution'] }
  INP?: { value: number; attribution: INPMetricWithAttribution['attribution'] }
  CLS?: { value: number; attribution: CLSMetricWithAttribution['attribution'] }
}

/** Times are in ms since the start of the navigation. */
type Watched = {
  /** Resolves when the button can be seen and is enabled, with the time and its centre. */
  shown: Promise<{ at: number; x: number; y: number }>
  /** Resolves after a click, with the time at which the page had reacted to it; null if it has not. */
  outcome: Promise<number | null>
  /** Renews `outcome` for another click. */
  tryAgain(): void
  vitals: Vitals
}

export type WatchedPage = typeof globalThis & { watched: Watched }

/** Runs in each document before anything of the page. `name` is a regular expression of the button's text. */
export function watchButton(name: string): void {
  /** A page that has reacted to a click in no way by then has lost it. */
  const LOST_MS = 100
  const pattern = new RegExp(name)
  let button: HTMLButtonElement | undefined

  function centreOf(element: Element): { x: number; y: number } {
    const { left, top, width, height } = element.getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2 }
  }

  function canBeUsed(element: HTMLButtonElement): boolean {
    if (element.disabled || !pattern.test(element.textContent ?? '')) return false
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    const { x, y } = centreOf(element)
    return element.contains(document.elementFromPoint(x, y))
  }

  /** A page that handles the click goes to another screen, or changes or disables the button, before it does anything else. */
  const stateOf = () => `${location.pathname} ${button?.isConnected} ${button?.disabled} ${button?.textContent}`

  const shown = new Promise<{ at: number; x: number; y: number }>((resolve) => {
    function look(): void {
      button = [...document.querySelectorAll('button')].find(canBeUsed)
      if (button) resolve({ at: performance.now(), ...centreOf(button) })
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })

  let settle: (reactedAt: number | null) => void = () => {}
  const newOutcome = () =>
    new Promise<number | null>((resolve) => {
      settle = resolve
    })

  function compare(earlier: string, clickedAt: number): void {
    const now = performance.now()
    if (stateOf() !== earlier) settle(now)
    else if (now - clickedAt > LOST_MS) settle(null)
    else setTimeout(compare, 0, earlier, clickedAt)
  }

  // The task after the click's own: all its handlers have run.
  addEventListener('click', () => setTimeout(compare, 0, stateOf(), performance.now()), { capture: true })

  const watched = {
    shown,
    outcome: newOutcome(),
    tryAgain(): void {
      watched.outcome = newOutcome()
    },
    vitals: {},
  }
  Object.assign(globalThis, { watched })
}

/** Runs after the library, whose build for script elements names itself `webVitals`. */
export function collectVitals(): void {
  const page = globalThis as WatchedPage & { webVitals: typeof import('web-vitals/attribution') }
  const { onLCP, onINP, onCLS } = page.webVitals
  const { vitals } = page.watched
  const options = { reportAllChanges: true }
  onLCP(({ value, attribution }) => {
    vitals.LCP = { value, attribution }
  }, options)
  onINP(
    ({ value, attribution }) => {
      vitals.INP = { value, attribution }
    },
    { ...options, durationThreshold: 16 },
  )
  onCLS(({ value, attribution }) => {
    vitals.CLS = { value, attribution }
  }, options)
}
