import { median } from '../median.ts'
import { printPromise, printRatio, whole } from '../print.ts'
import { benchStart, type StartVisits } from './start.ts'
import type { StartVisit } from './start-visit.ts'
import type { Vitals } from './watch-page.ts'
import { apiRequestsBefore, longestChain, waterfallText } from './waterfall.ts'

type Bars = { ratio: number; apiRequests: number; chain: number }

export const startBench = {
  async start() {
    const { floor, first, back } = await benchStart()
    print('first visit to a sign-in button that reacts', first, floor, { ratio: 1.15, apiRequests: 1, chain: 4 })
    print('next visit to a Start button that reacts', back, floor, { ratio: 0.65, apiRequests: 1, chain: 3 })
    printDetails('floor, first visit', floor)
    printDetails('product, first visit', first)
    printDetails('product, next visit', back)
  },
}

function print(what: string, ours: StartVisits, floor: StartVisits, bars: Bars): void {
  printRatio({
    what: `${what}, slow phone`,
    against: 'the smallest page of the same stack with one API request',
    ratio: ours.ratio,
    bar: bars.ratio,
    better: 'lower',
    detail: `medians ${whole(ours.reactedAt)} against ${whole(floor.reactedAt)} ms`,
  })
  const api = medianOf(ours, ({ requests, shownAt }) => apiRequestsBefore(requests, shownAt).length)
  printPromise(api <= bars.apiRequests, `${api} API requests before the button (bar ${bars.apiRequests})`)
  const chain = medianOf(ours, ({ requests, shownAt }) => longestChain(requests, shownAt).length)
  printPromise(chain <= bars.chain, `${chain} requests one after another before the button (bar ${bars.chain})`)
}

function medianOf({ visits }: StartVisits, read: (visit: StartVisit) => number): number {
  return median(visits.map(read))
}

function printDetails(name: string, visits: StartVisits): void {
  const last = visits.visits.at(-1)
  if (!last) return
  const all = visits.visits.map(({ reactedAt }) => whole(reactedAt)).join(', ')
  console.log(`measured  ${name}: reacts after ${all} ms`)
  if (name.startsWith('product')) for (const line of vitalsText(visits, last)) console.log(`measured  ${name}: ${line}`)
  const chain = longestChain(last.requests, last.shownAt)
  const overNetwork = chain.filter(({ bytes }) => bytes > 0).length
  console.log(
    `measured  ${name}, last round: button shown at ${whole(last.shownAt)}, reacts at ${whole(last.reactedAt)} ms; longest chain (*) ${chain.length}, ${overNetwork} of it over the network`,
  )
  for (const line of waterfallText(last.requests, chain, last.reactedAt)) console.log(`  ${line}`)
}

/** The vitals as medians of the visits that have them, and what causes them in the last round. */
function vitalsText({ visits }: StartVisits, { vitals: { LCP, INP, CLS } }: StartVisit): string[] {
  function text(name: keyof Vitals, write: (value: number) => string, cause: string): string {
    const values = visits.flatMap(({ vitals }) => vitals[name]?.value ?? [])
    return values.length === 0 ? `${name} not reported` : `${name} ${write(median(values))}${cause && `: ${cause}`}`
  }
  const ms = (value: number) => `${whole(value)} ms`
  const lcp = LCP?.attribution
  const inp = INP?.attribution
  const cls = CLS?.attribution
  const lcpParts = lcp && [
    lcp.target ?? 'an element that is gone',
    `first byte ${whole(lcp.timeToFirstByte)}`,
    `load delay ${whole(lcp.resourceLoadDelay)}`,
    `load ${whole(lcp.resourceLoadDuration)}`,
    `render delay ${whole(lcp.elementRenderDelay)}`,
  ]
  const inpParts = inp && [
    inp.interactionTarget ?? 'an element that is gone',
    `input delay ${whole(inp.inputDelay)}`,
    `processing ${whole(inp.processingDuration)}`,
    `presentation ${whole(inp.presentationDelay)}`,
  ]
  const shift = cls?.largestShiftTarget ? `${cls.largestShiftTarget} at ${whole(cls.largestShiftTime ?? 0)} ms` : ''
  return [
    text('LCP', ms, lcpParts?.join(', ') ?? ''),
    text('INP', ms, inpParts?.join(', ') ?? ''),
    text('CLS', (value) => value.toFixed(4), shift),
  ]
}
