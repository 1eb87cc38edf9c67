import { benchHubIdle, benchHubMemory } from './hub-idle.ts'
import { benchHubJoins } from './hub-joins.ts'
import { benchHubRelay } from './hub-relay.ts'
import { benchHubRoundTrip } from './hub-round-trip.ts'
import { printPromise, printRatio, whole } from './print.ts'

/** The benches of the hub of one server, by name on the command line. */
export const hubBenches = {
  async relay() {
    const { plain, answered, stateful, roundTrip } = await benchHubRelay()
    const rows = [
      { what: 'relayed chat messages a second', ...plain },
      { what: 'the same, each answered to its sender', ...answered },
      { what: 'the same over stateful reconnect', ...stateful },
    ]
    for (const { what, ratio, hub, bare } of rows) {
      const detail = `medians ${whole(hub)} against ${whole(bare)}`
      printRatio({ what, against: 'bare ws', ratio, bar: 0.75, better: 'higher', detail })
    }
    const { ratio, hub, bare } = roundTrip
    const detail = `${hub.toFixed(2)} against ${bare.toFixed(2)} ms`
    printRatio({
      what: 'hub round trip under that load, p50',
      against: 'bare ws',
      ratio,
      bar: 1.3,
      better: 'lower',
      detail,
    })
  },

  async roundTrip() {
    const { ratio, hub, bare } = await benchHubRoundTrip()
    const detail = `${hub.toFixed(2)} against ${bare.toFixed(2)} ms`
    printRatio({
      what: 'hub round trip of a hub that is nearly idle, p50',
      against: 'bare ws',
      ratio,
      bar: 1.3,
      better: 'lower',
      detail,
    })
  },

  async memory() {
    const { ratio, hub, bare } = await benchHubMemory()
    const detail = `${whole(hub)} against ${whole(bare)} bytes`
    printRatio({
      what: 'memory per idle hub connection at 5,000',
      against: 'bare ws',
      ratio,
      bar: 1.6,
      better: 'lower',
      detail,
    })
  },

  async idle() {
    const { held, dropped, seconds } = await benchHubIdle()
    printPromise(dropped === 0, `${whole(held)} idle connections held for ${whole(seconds)} s, ${dropped} dropped`)
  },

  async joins() {
    const { ratio, costs } = benchHubJoins()
    const detail = costs.map(({ waiting, microseconds }) => `${microseconds.toFixed(2)} µs at ${whole(waiting)}`)
    printPromise(ratio < 2, `cost of a join over 1,000,000 simulated ones: ${detail.join(', ')}`)
  },
}
