import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import { enableProdMode, memory, setBackend, tensor3d } from '@tensorflow/tfjs-core'
import { load } from 'nsfwjs/core'
import { MobileNetV2MidModel } from 'nsfwjs/models/mobilenet_v2_mid'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { PICTURE_CLASSES } from '#protocol/explicit-score.ts'
import { LOOK_SIDE } from '#workers/curtain/contract.ts'
import { createNetwork } from '#workers/curtain/network.ts'
import { readCurtainModel } from '../../../scripts/curtain-model.ts'
import { sized } from '../../../scripts/test-limits.ts'
import { createDice } from '../../support/dice.ts'

const PIXELS = LOOK_SIDE * LOOK_SIDE

beforeAll(async () => {
  enableProdMode()
  setWasmPaths(dirname(createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm')) + sep)
  await setBackend('wasm')
})

/** Soft blots of random colours: the model is sure of none of its classes. */
function blots(seed: number): Uint8Array {
  const dice = createDice(seed)
  const pixels = new Uint8Array(PIXELS * 4).fill(255)
  const spots = Array.from({ length: 12 }, () => ({
    x: dice.below(LOOK_SIDE),
    y: dice.below(LOOK_SIDE),
    size: 20 + dice.below(80),
    colour: [dice.below(256), dice.below(256), dice.below(256)],
  }))
  for (let at = 0; at < PIXELS; at += 1) {
    for (let part = 0; part < 3; part += 1) {
      const parts = spots.map(({ x, y, size, colour }) => {
        const distance = Math.hypot((at % LOOK_SIDE) - x, Math.floor(at / LOOK_SIDE) - y)
        const near = Math.exp(-((distance / size) ** 2))
        return { near, value: near * (colour[part] ?? 0) }
      })
      const near = parts.reduce((sum, each) => sum + each.near, 0.01)
      pixels[at * 4 + part] = Math.round(parts.reduce((sum, each) => sum + each.value, 0) / near)
    }
  }
  return pixels
}

test("the converted model gives the scores of nsfwjs's own, and keeps no memory", async () => {
  const notice = vi.spyOn(console, 'info').mockImplementation(() => {})
  onTestFinished(() => notice.mockRestore())
  const original = await load('MobileNetV2Mid', { modelDefinitions: [MobileNetV2MidModel] })
  const { model, weights } = await readCurtainModel()
  const network = createNetwork(model, Uint8Array.from(weights).buffer)
  const before = memory().numTensors
  for (const seed of [1, 2, 3].slice(0, sized(1, 3))) {
    const pixels = blots(seed)
    const colours = pixels.filter((_, index) => index % 4 !== 3)
    const picture = tensor3d(colours, [LOOK_SIDE, LOOK_SIDE, 3], 'int32')
    const expected = await original.classify(picture)
    picture.dispose()
    const scores = network(pixels)
    expect(expected).toHaveLength(PICTURE_CLASSES.length)
    for (const { className, probability } of expected)
      expect(scores[className.toLowerCase() as keyof typeof scores], `${className} of ${seed}`).toBeCloseTo(
        probability,
        3,
      )
  }
  expect(memory().numTensors).toBe(before)
  original.dispose()
})
