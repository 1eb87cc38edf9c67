import { type NetworkName, networks } from '../../../scripts/links/links.ts'
import { printPromise, printRatio } from '../print.ts'
import type { NetworkRow } from './networks.ts'

type Measure = 'fps' | 'lines' | 'frozen' | 'concealed'

/** What the product's calls must reach on each network, as a share of what two bare connections reach in the same run. */
const bars: Partial<Record<NetworkName, Partial<Record<Measure, number>>>> = {
  good: { fps: 0.98, lines: 0.98 },
  loss5: { fps: 0.95, lines: 0.95, frozen: 0.5, concealed: 0.4 },
  loss15: { frozen: 0.4, concealed: 0.4 },
  '3g': { fps: 0.85, lines: 0.9, frozen: 0.5 },
  narrow: { frozen: 0.2, concealed: 0.3 },
  drop: { frozen: 0.25 },
}
/** Megabytes an hour of both directions, with the choice of both users. */
const MEGABYTES_AN_HOUR: Partial<Record<NetworkRow['side'], number>> = { 'ours, saver': 120, 'ours, sound': 20 }
/** Largest share of the sound that may be concealed on the slowest network, whatever bare connections do. */
const EDGE_CONCEALED = 0.08
const RECOVERY_SECONDS = 10

const isMore = (measure: Measure) => measure === 'fps' || measure === 'lines'

/** Prints each of the product's rows against the bare row of its network. */
export function printBars(rows: readonly NetworkRow[]): void {
  for (const ours of rows.filter(({ side }) => side !== 'bare')) {
    const bare = rows.find(({ network, side }) => network === ours.network && side === 'bare')
    const what = `${networks[ours.network].name} (${ours.side})`
    const { concealed, megabytesAnHour } = ours.quality
    const megabytes = MEGABYTES_AN_HOUR[ours.side]
    if (megabytes !== undefined)
      printPromise(
        megabytesAnHour <= megabytes,
        `${what}: ${megabytesAnHour.toFixed(0)} MB an hour, ${megabytes} at most`,
      )
    else if (bare) printRatios(what, ours, bare)
    if (ours.network === 'edge')
      printPromise(
        concealed <= EDGE_CONCEALED,
        `${what}: ${(concealed * 100).toFixed(1)} % of the sound concealed, 8 at most`,
      )
    printPromise(ours.stood === ours.calls, `${what}: ${ours.stood} of ${ours.calls} calls stood to the end`)
    if (ours.network === 'drop')
      printPromise(
        ours.recovery !== null && ours.recovery <= RECOVERY_SECONDS,
        `${what}: full picture ${ours.recovery?.toFixed(1) ?? 'never'} s after the network recovered, 10 at most`,
      )
  }
}

function printRatios(what: string, ours: NetworkRow, bare: NetworkRow): void {
  for (const [name, bar] of Object.entries(bars[ours.network] ?? {})) {
    const measure = name as Measure
    const [own, plain] = [ours.quality[measure], bare.quality[measure]]
    // Nothing frozen or concealed on either side is as good as it can be.
    const ratio = plain === 0 ? (own === 0 ? 0 : Number.POSITIVE_INFINITY) : own / plain
    printRatio({
      what: `${what}: ${measure}`,
      against: 'two bare connections',
      ratio,
      bar,
      better: isMore(measure) ? 'higher' : 'lower',
      detail: `${own.toFixed(3)} against ${plain.toFixed(3)}`,
    })
  }
}
