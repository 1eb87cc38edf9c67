import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import type { NetworkName } from '../../../scripts/links/links.ts'
import type { CallSample, Conditions } from '../../../src/call/rules/call-reading.ts'

const number = v.pipe(v.string(), v.nonEmpty(), v.transform(Number), v.finite())
const maybe = v.union([
  number,
  v.pipe(
    v.literal(''),
    v.transform(() => null),
  ),
])
/** Columns that older recordings lack: they count the packets of sound and picture together. */
const earlier = v.optional(number, '0')
const rowSchema = v.object({
  at: number,
  framesDecoded: number,
  framesDropped: number,
  freezes: v.optional(maybe, ''),
  decodeSeconds: number,
  encodeSeconds: number,
  audioPacketsReceived: number,
  audioPacketsLost: earlier,
  soundSamples: earlier,
  concealedSamples: earlier,
  packetsReceived: number,
  packetsLost: number,
  remoteLoss: maybe,
  roundTripMs: maybe,
  availableKbps: maybe,
  bytesSent: number,
  bytesReceived: number,
  bytesOnWire: earlier,
  framesEncoded: number,
  limitedBy: v.picklist(['none', 'cpu', 'bandwidth', 'other']),
  capturedSide: number,
  sentHeight: number,
  sentSide: earlier,
  receivedHeight: number,
  codec: v.string(),
  isRelayed: v.pipe(
    v.picklist(['true', 'false']),
    v.transform((text) => text === 'true'),
  ),
  longTaskMs: earlier,
})

type SeriesName = 'clean' | 'congested-uplink' | 'lossy-mobile' | 'recovery' | 'slow-cpu' | NetworkName
export type Moment = { sample: CallSample; page: Conditions }

/**
 * Returns a recorded call between two Chromium pages without a governor, one sample a second, over a UDP link with limited rate,
 * queue, delay and loss. The trouble starts after 10 s; in `recovery` it ends after 30 s, in `lossy-mobile` it is there from the
 * start. `slow-cpu` is a page that is busy for 350 of 800 ms, with six busy workers. The names of networks are those of
 * scripts/links/links.ts, recorded by `npm run bench -- networks`.
 */
export function callSeries(name: SeriesName): Moment[] {
  const text = readFileSync(new URL(`./call-series/${name}.csv`, import.meta.url), 'utf8')
  const [head = '', ...rows] = text.trimEnd().split('\n')
  const columns = head.split(',')
  return rows.map((row) => {
    const cells = row.split(',')
    const { longTaskMs, ...sample } = v.parse(
      rowSchema,
      Object.fromEntries(columns.map((column, index) => [column, cells[index]])),
    )
    return {
      sample: { ...sample, isUdpBlocked: false, pair: null },
      page: { hidden: false, longTaskMs, ceilingKbps: null },
    }
  })
}

/** The file of a recording: numbers without more decimals than the rules can tell apart. */
export function seriesText(samples: readonly CallSample[]): string {
  const names = Object.keys(rowSchema.entries).filter((name) => name !== 'longTaskMs') as (keyof CallSample)[]
  const cell = (value: CallSample[keyof CallSample]) =>
    typeof value === 'number' ? String(Number(value.toFixed(value < 10 ? 3 : 0))) : String(value ?? '')
  return [names, ...samples.map((sample) => names.map((name) => cell(sample[name])))]
    .map((row) => `${row.join(',')}\n`)
    .join('')
}
