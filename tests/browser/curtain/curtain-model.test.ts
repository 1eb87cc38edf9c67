import { signal } from '@preact/signals-react'
import { expect, onTestFinished, test } from 'vitest'
import { createPictureLooks } from '../../../src/curtain/io/picture-looks.ts'
import { createCurtainStore } from '../../../src/curtain/state/curtain.ts'
import { browserClock } from '../../../src/platform/io/browser-clock.ts'
import { show, stop } from '../../support/browser/cameras.ts'
import { drawFace, drawFlagged } from '../../support/browser/flagged-picture.ts'
import { sent } from '../../support/browser/sent-stream.ts'

type Draw = (context: CanvasRenderingContext2D) => void

/** A camera that shows what `draw` paints, until another is given. */
function drawnCamera(first: Draw): { stream: MediaStream; draw: (next: Draw) => void } {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 640, height: 480 })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('No context')
  let draw = first
  const stream = canvas.captureStream(10)
  const painting = setInterval(() => draw(context), 100)
  onTestFinished(() => {
    clearInterval(painting)
    stop(stream)
  })
  return { stream, draw: (next) => (draw = next) }
}

/** A call whose pictures the real model looks at. */
function startCurtain() {
  const errors: string[] = []
  const match = signal<string | null>(null)
  const store = createCurtainStore({
    storage: { get: async () => undefined, set: async () => {} },
    clock: browserClock,
    log: { info: () => {}, error: (message) => void errors.push(message) },
    page: { hidden: () => false, onVisibility: () => () => {} },
    loadLooks: async () => createPictureLooks({ lookMsMax: Number.POSITIVE_INFINITY }),
    sendCounts: async () => {},
    judged: () => {},
    whenIdle: (task) => task(),
    looksToVeil: 2,
    cores: 4,
    isSaver: signal(false),
    match,
    sends: () => ({ peer: true, own: false }),
  })
  // Also on a machine that is slow now.
  store.choose(true)
  match.value = 'match'
  onTestFinished(() => {
    match.value = null
  })
  return { store, errors }
}

test('the real model veils a flagged picture that a peer sends at its second look, and no ordinary one', async () => {
  const camera = drawnCamera(drawFace)
  const video = await show(await sent(camera.stream))
  const { store, errors } = startCurtain()
  store.showPicture('peer', video)
  const looks = () => store.seen.value?.looks ?? 0
  await expect.poll(looks).toBeGreaterThanOrEqual(4)
  expect([store.seen.value?.flagged, store.isVeiled.value]).toEqual([0, false])

  camera.draw(drawFlagged)
  await expect.poll(() => store.isVeiled.value).toBe(true)
  expect(store.seen.value).toEqual({ model: 'mobilenet-v2-mid', looks: expect.any(Number), flagged: 2 })
  expect(errors).toEqual([])
})
