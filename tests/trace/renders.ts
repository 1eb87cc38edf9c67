import { dataOf, numberOf, type TraceEvent, textOf } from './trace-file.ts'

/** How often a component rendered, and the milliseconds of it with what is below it. */
export type Renders = { component: string; count: number; ms: number }

/** React's own track; only the profiling build draws it. */
const TRACK = 'Components ⚛'
/** React also draws here that it waits for the browser. */
const WAITING = 'Blocked'
/** Colours of renders, by their time. Those of effects begin with "secondary". A render of 100 ms and an effect of 500 ms are both "error". */
const RENDER = /^(?:primary|tertiary|error)/

/** Runs in each document before anything of the page: React measures components only where it finds its developer tools. */
export function askReactForComponents(): void {
  Object.assign(globalThis, { __REACT_DEVTOOLS_GLOBAL_HOOK__: { isDisabled: true } })
}

type Render = { component: string; start: number; ms: number }

/** Reads the renders of a trace; times are microseconds of the trace's clock. */
export function readRenders(events: readonly TraceEvent[]): Render[] {
  return events.flatMap((event) => {
    if (event.name !== 'TimeStamp') return []
    const { track, color, name, message, start, end } = dataOf(event)
    const component = textOf(name) || textOf(message)
    if (track !== TRACK || !RENDER.test(textOf(color)) || component === WAITING) return []
    const began = numberOf(start)
    return [{ component, start: began, ms: (numberOf(end) - began) / 1_000 }]
  })
}

/** The components that rendered from `start` to `end`, those that did most often first. */
export function rendersWithin(renders: readonly Render[], start: number, end: number): Renders[] {
  const byComponent = new Map<string, Renders>()
  for (const render of renders) {
    if (render.start < start || render.start >= end) continue
    const { component } = render
    const sum = byComponent.get(component) ?? { component, count: 0, ms: 0 }
    byComponent.set(component, { component, count: sum.count + 1, ms: sum.ms + render.ms })
  }
  return [...byComponent.values()].sort((one, other) => other.count - one.count || other.ms - one.ms)
}
