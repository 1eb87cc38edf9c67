import { expect, onTestFinished, test, vi } from 'vitest'
import { type Interaction, keepInteractions } from '../../../src/tools/recorder/page-timing.ts'
import { createRing } from '../../../src/tools/recorder/ring.ts'

class Button {
  localName = 'button'
}

test('the events of one interaction are one row: the longest, with the element that one of them still has', () => {
  vi.stubGlobal('Element', Button)
  onTestFinished(() => void vi.unstubAllGlobals())
  const ring = createRing<Interaction>(10)
  const keep = keepInteractions(ring)
  function report(name: string, duration: number, interactionId: number, target: Button | null = null): void {
    const times = { startTime: 100, processingStart: 101, processingEnd: 104 }
    keep({ name, duration, interactionId, target, ...times } as never)
  }
  report('pointermove', 900, 0)
  report('pointerdown', 24, 7, new Button())
  report('pointerup', 184, 7)
  report('click', 184, 7)
  report('keydown', 32, 8)
  report('keyup', 16, 8)
  expect(ring.items().map(({ kind, ms, target }) => [kind, ms, target])).toEqual([
    ['click', 184, 'button'],
    ['keydown', 32, ''],
  ])
})
