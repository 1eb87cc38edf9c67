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
 * Returns a recorded call between two Chromium pages without a governor, one sample a second, over a UDP link with limited rate,
 * queue, delay and loss. The trouble starts after 10 s; in `recovery` it ends after 30 s, in `lossy-mobile` it is there from the
 * start. `slow-cpu` is a page that is busy for 350 of 800 ms, with six busy workers.
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
    // The recordings count the packets of sound and picture together.
    return { sample: { ...sample, audioPacketsLost: 0 }, page: { hidden: false, longTaskMs } }
  })
}
