import type { CDPSession, Page } from 'playwright'
import { parseEvents, type TraceEvent } from './trace-file.ts'

/** What the performance panel records, with the addresses of scripts that source maps need. Without pictures. */
const CATEGORIES = [
  'blink.console',
  'blink.user_timing',
  'devtools.timeline',
  'disabled-by-default-devtools.target-rundown',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'disabled-by-default-devtools.timeline.stack',
  'disabled-by-default-devtools.v8-source-rundown',
  'disabled-by-default-v8.compile',
  'disabled-by-default-v8.cpu_profiler',
  'latencyInfo',
  'loading',
  'navigation',
  'rail',
  'v8',
  'v8.execute',
]

const BUFFER_KB = 400_000

export type Recorder = {
  /** Ends the recording. Resolves with its events. */
  stop(): Promise<TraceEvent[]>
}

export async function startRecording(page: Page): Promise<Recorder> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Tracing.start', {
    transferMode: 'ReturnAsStream',
    streamFormat: 'json',
    traceConfig: {
      recordMode: 'recordAsMuchAsPossible',
      traceBufferSizeInKb: BUFFER_KB,
      includedCategories: CATEGORIES,
      excludedCategories: ['*'],
    },
  })
  return {
    async stop() {
      const completed = new Promise<string>((resolve) =>
        devtools.once('Tracing.tracingComplete', ({ stream = '' }) => resolve(stream)),
      )
      await devtools.send('Tracing.end')
      return parseEvents(await readStream(devtools, await completed))
    },
  }
}

async function readStream(devtools: CDPSession, handle: string): Promise<string> {
  const parts: Buffer[] = []
  for (;;) {
    const { data, base64Encoded, eof } = await devtools.send('IO.read', { handle })
    parts.push(Buffer.from(data, base64Encoded ? 'base64' : 'utf8'))
    if (eof) break
  }
  await devtools.send('IO.close', { handle })
  return Buffer.concat(parts).toString('utf8')
}
