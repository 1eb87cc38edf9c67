import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { createClassifier } from '../../server/frames/classifier/classifier.ts'
import { MODEL_SIDE } from '../../server/frames/classifier/classifier-messages.ts'
import { createFrameIntake } from '../../server/frames/frame-intake.ts'
import { DecoderPool } from '../../server/platform/pictures/decoder-pool.ts'
import { jpegOf } from '../support/pictures/jpegs.ts'
import { realClock, startBenchHub } from './bench-hub.ts'

/**
 * The hub and the processing of frames in one process, as in the product. Prints its address. `frames` and `rest` on its standard
 * input start and end the stream of frames; it then prints the number of frames so far.
 */

/** So that one is decoded while another is classified. */
const AT_ONCE = 2

const deps = { clock: realClock, log: pino({ level: 'warn' }) }
const { classify, counts } = createClassifier(deps)
const { viewFrame } = createFrameIntake(new DecoderPool(deps))
// Noise, which costs more than what cameras see.
const upload = await jpegOf({ width: 640, height: 480 })
let running = false
let streams: Promise<void>[] = []

async function look(accountId: string): Promise<void> {
  await classify((await viewFrame(upload, MODEL_SIDE, { accountId })).pixels)
}

async function stream(accountId: string): Promise<void> {
  while (running) {
    await look(accountId)
  }
}

// The model is read before anything is measured.
await look('first')
console.log(await startBenchHub())
createInterface({ input: process.stdin }).on('line', async (line) => {
  running = line === 'frames'
  // The last frames are over before a rest begins.
  await Promise.all(running ? [] : streams)
  streams = running ? Array.from({ length: AT_ONCE }, (_, index) => stream(`person ${index}`)) : []
  console.log(counts.classified)
})
