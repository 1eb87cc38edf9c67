import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import type { CallSample, PageLoad } from '../../../src/domain/governor.ts'

const number = v.pipe(v.string(), v.nonEmpty(), v.transform(Number), v.finite())
const maybe = v.union([
  number,
  v.pipe(
    v.literal(''),
    v.transform(() => null),
  ),
])
const rowSchema = v.object({
  at: number,
  framesDecoded: number,
  framesDropped: number,
  decodeSeconds: number,
  encodeSeconds: number,
  audioPacketsReceived: number,
  packetsReceived: number,
  packetsLost: number,
  remoteLoss: maybe,
  roundTripMs: maybe,
  availableKbps: maybe,
  bytesSent: number,
  bytesReceived: number,
  framesEncoded: number,
  limitedBy: v.picklist(['none', 'cpu', 'bandwidth', 'other']),
  capturedSide: number,
  sentHeight: number,
  receivedHeight: number,
  codec: v.string(),
  isRelayed: v.pipe(
    v.picklist(['true', 'false']),
    v.transform((text) => text === 'true'),
  ),
  longTaskMs: number,
})

type SeriesName = 'clean' | 'congested-uplink' | 'lossy-mobile' | 'recovery' | 'slow-cpu'
export type Moment = { sample: CallSample; page: PageLoad }

/**
 * A call of Chromium with itself, one row a second, over a UDP link with a rate, a queue, a delay and a loss of its own,
 * in which no governor limited what was sent. The trouble starts after 10 s; in `recovery` it is over after 30 s, in
 * `lossy-mobile` it is there from the start. `slow-cpu` is a page busy for 350 of 800 ms beside six busy workers.
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
    return { sample, page: { hidden: false, longTaskMs } }
  })
}
