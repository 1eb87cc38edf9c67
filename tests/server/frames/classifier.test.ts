import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createClassifier } from '../../../server/frames/classifier/classifier.ts'
import type { Clock } from '../../../server/platform/rules/clock.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { colouredPixels, type FrameColour, scriptedClassifier } from '../../support/pictures/coloured-frames.ts'

function classifierForTest(clock: Clock, program = scriptedClassifier) {
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const classifier = createClassifier({ clock, log, program })
  onTestFinished(classifier.stop)
  return {
    ...classifier,
    warnings,
    look: async (colour: FrameColour) => classifier.classify(await colouredPixels(colour)),
  }
}

test('pictures are classified in a separate process, which starts with the first one', async () => {
  const { look, counts } = classifierForTest(movableClock())
  expect(await look('explicit')).toMatchObject({ porn: 0.95 })
  expect(await look('harmless')).toMatchObject({ neutral: 1 })
  expect(counts).toEqual({ classified: 2, skipped: 0, failed: 0 })
})

test('more pictures than may wait are skipped at once', async () => {
  const { classify, counts } = classifierForTest(movableClock())
  const pixels = await colouredPixels('harmless')
  const answers = await Promise.all(Array.from({ length: 12 }, () => classify(pixels)))
  expect(answers.map((scores) => scores !== null)).toEqual([...Array(8).fill(true), ...Array(4).fill(false)])
  expect(counts).toEqual({ classified: 8, skipped: 4, failed: 0 })
})

test.each(['deadly', 'confusing', 'mistaken'] as const)(
  'a %s picture costs the process, the next ones a pause that doubles, and nobody an error',
  async (colour) => {
    const clock = movableClock()
    const { look, counts, warnings } = classifierForTest(clock)
    expect(await look('harmless')).not.toBeNull()
    expect(await look(colour)).toBeNull()
    expect(await look('harmless')).toBeNull()
    clock.forward(999)
    expect(await look('harmless')).toBeNull()
    expect(counts).toEqual({ classified: 1, skipped: 2, failed: 1 })
    clock.forward(1)
    expect(await look(colour)).toBeNull()
    clock.forward(1_999)
    expect(await look('harmless')).toBeNull()
    clock.forward(1)
    expect(await look('harmless')).not.toBeNull()
    // A picture that was answered ends the doubling.
    expect(await look(colour)).toBeNull()
    clock.forward(1_000)
    expect(await look('harmless')).not.toBeNull()
    expect(warnings).toHaveLength(3)
  },
)

test('a picture without a response fails, with those that wait behind it', async () => {
  const clock = fakeClock(1_000_000)
  const { look, classify, counts } = classifierForTest(clock)
  expect(await look('harmless')).not.toBeNull()
  const [endless, harmless] = await Promise.all([colouredPixels('endless'), colouredPixels('harmless')])
  const answers = Promise.all([classify(endless), classify(harmless)])
  clock.advance(5_000)
  expect(await answers).toEqual([null, null])
  expect(counts).toEqual({ classified: 1, skipped: 0, failed: 2 })
  clock.advance(1_000)
  expect(await look('harmless')).not.toBeNull()
})

test('a process that never becomes ready fails', async () => {
  const clock = fakeClock()
  const { classify, warnings } = classifierForTest(
    clock,
    new URL('../../support/pictures/silent-classifier.ts', import.meta.url),
  )
  const answer = classify(await colouredPixels('harmless'))
  clock.advance(60_000)
  expect(await answer).toBeNull()
  expect(warnings.join()).toContain('it did not start in time')
})

test('a missing program is a fault like any other', async () => {
  const { look, counts } = classifierForTest(movableClock(), new URL('no-such-program.ts', import.meta.url))
  expect(await look('harmless')).toBeNull()
  expect(counts).toEqual({ classified: 0, skipped: 0, failed: 1 })
})

test('the process ends with the classifier, and later pictures are skipped', async () => {
  const { look, classify, stop, counts } = classifierForTest(movableClock())
  expect(await look('harmless')).not.toBeNull()
  const endless = classify(await colouredPixels('endless'))
  await stop()
  expect(await endless).toBeNull()
  expect(await look('harmless')).toBeNull()
  expect(counts).toEqual({ classified: 1, skipped: 1, failed: 1 })
})
