import { fork } from 'node:child_process'
import { once } from 'node:events'
import { pino } from 'pino'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { createClassifier } from '../../../server/frames/classifier/classifier.ts'
import { MODEL_SIDE } from '../../../server/frames/classifier/classifier-messages.ts'
import { verdictOf } from '../../../server/frames/rules/frame-verdict.ts'
import { viewFrame } from '../../../server/platform/pictures/decode-picture.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { jpegOf } from '../../support/pictures/jpegs.ts'

const face = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">
  <rect width="640" height="480" fill="#9ab"/>
  <circle cx="320" cy="220" r="130" fill="#e0b090"/><circle cx="270" cy="190" r="14"/><circle cx="370" cy="190" r="14"/>
  <path d="M260 270q60 60 120 0" stroke="#933" fill="none" stroke-width="10"/>
</svg>`

/** A slow machine takes longer than the five seconds of a picture. */
const patientClock = movableClock(100)

test('the real model loads from the packages alone and scores a face and noise as harmless', async () => {
  const log = pino({ level: 'silent' })
  const { classify, counts, stop } = createClassifier({ clock: patientClock, log })
  onTestFinished(stop)
  const frames = [await sharp(Buffer.from(face)).jpeg().toBuffer(), await jpegOf({ width: 640, height: 480 })]
  for (const frame of frames) {
    const scores = await classify((await viewFrame(frame, MODEL_SIDE)).data)
    if (!scores) throw new Error('the model did not answer')
    expect(scores.neutral + scores.drawing).toBeGreaterThan(0.8)
    expect(Object.values(scores).reduce((sum, score) => sum + score)).toBeCloseTo(1, 3)
    expect(verdictOf(scores, 0.85)).toBe('nothing')
  }
  expect(counts).toEqual({ classified: 2, skipped: 0, failed: 0 })
})

/** The process with the model, ready, with nobody but the test to talk to. */
async function modelProcess() {
  const program = new URL('../../../server/frames/classifier/classifier.process.ts', import.meta.url)
  const child = fork(program, { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said]: unknown[] = await once(child, 'message')
  expect(said).toEqual({ type: 'ready' })
  return child
}

test('the process ends with the server, in any way that the server ends', async () => {
  const child = await modelProcess()
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('the process accepts only pixels of the size of its model', async () => {
  const child = await modelProcess()
  child.send({ id: 1, pixels: new Uint8Array(3) })
  expect(await once(child, 'exit')).toEqual([1, null])
})
