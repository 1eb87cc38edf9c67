import { span } from '#workers/trace.ts'
import { scriptName } from './script-name.ts'

type Loaded = Pick<PerformanceResourceTiming, 'name' | 'startTime' | 'responseEnd' | 'transferSize' | 'encodedBodySize'>

const KB = 1_024

/** Draws the load of each script, also of those before now. */
export function followChunks(origin: string): void {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) drawChunk(entry, origin)
  }).observe({ type: 'resource', buffered: true })
}

export function drawChunk(
  { name, startTime, responseEnd, transferSize, encodedBodySize }: Loaded,
  origin: string,
): void {
  const script = scriptName(name, origin)
  if (script === null) return
  // A body that the network did not carry comes from a cache.
  const from = transferSize === 0 && encodedBodySize > 0 ? ', cache' : ''
  span('Chunks', `${script}, ${(encodedBodySize / KB).toFixed(1)} KB${from}`, startTime, responseEnd)
}
