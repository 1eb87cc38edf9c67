import { benchCurtainCall } from './curtain-call.ts'
import { printPromise, printRatio, whole } from './print.ts'

/** Longest time from a flagged picture to the veil. */
const VEIL_MAX_MS = 1_500

export async function printCurtainCall(): Promise<void> {
  const { costs, on, off, veils } = await benchCurtainCall()
  const longest = Math.max(...veils)
  printPromise(
    longest <= VEIL_MAX_MS,
    `${whole(longest)} ms at most from a flagged picture to the veil (bar ${whole(VEIL_MAX_MS)}) in ${veils.length} calls with a scripted classifier: ${veils.map(whole).join(', ')}`,
  )
  printRatio({
    what: 'time from the click that makes the match to both first frames with the safety curtain',
    against: 'without',
    ratio: on / off,
    bar: 1.1,
    better: 'lower',
    detail: `medians ${whole(on)} against ${whole(off)} ms`,
  })
  for (const cost of costs)
    printRatio({
      what: `UI-thread time of a call with ${cost.looks} looks at 4x (really ${cost.slowdown.toFixed(1)}x)`,
      against: 'the other side of the same call without',
      ratio: cost.ratio,
      bar: 1.1,
      better: 'lower',
      detail: `${cost.on.toFixed(2)} against ${cost.off.toFixed(2)} ms a second`,
    })
}
