import { printRatio } from './print.ts'
import { benchProfilingCost } from './profiling-cost.ts'

const ALWAYS_ON_MAX = 1.02
const TRACE_MAX = 1.1

const whats = {
  match: 'UI-thread time of two people from the press to both first frames',
  call: 'UI-thread time a second of a call that goes on',
} as const

export const profilingBench = {
  async 'profiling-cost'() {
    const costs = await benchProfilingCost()
    const rows = [
      { what: 'with nothing switched on', mode: 'off', bar: ALWAYS_ON_MAX },
      { what: 'with PROFILE_PAGE=on', mode: 'page', bar: TRACE_MAX },
      { what: 'under ?trace', mode: 'trace', bar: TRACE_MAX },
    ] as const
    for (const { what, mode, bar } of rows) {
      for (const part of ['match', 'call'] as const) {
        const [ours, floor] = [costs[mode][part], costs.floor[part]]
        printRatio({
          what: `${whats[part]}, ${what}`,
          against: 'a build whose spans do nothing',
          ratio: ours / floor,
          bar,
          better: 'lower',
          detail: `medians ${ours.toFixed(1)} against ${floor.toFixed(1)} ms`,
        })
      }
    }
  },
}
