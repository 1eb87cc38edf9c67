import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import { loadGraphModel } from '@tensorflow/tfjs-converter'
import { enableProdMode, memory, setBackend, type Tensor } from '@tensorflow/tfjs-core'
import { MobileNetV2MidModel } from 'nsfwjs/models/mobilenet_v2_mid'
import { beforeAll, expect, test } from 'vitest'
import { PICTURE_CLASSES } from '#protocol/explicit-score.ts'
import { LOOK_SIDE } from '#workers/curtain/contract.ts'
import { createNetwork } from '#workers/curtain/network.ts'
import { readCurtainModel } from '../../../scripts/curtain-model.ts'
import { sized } from '../../../scripts/test-limits.ts'
import { readModel, scoresBy } from '../../../server/frames/classifier/nsfw-model.ts'
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

test('the converted model gives the scores of its graph, and keeps no memory', async () => {
  const artifacts = await readModel(MobileNetV2MidModel)
  const original = await loadGraphModel({ load: async () => artifacts })
  const { model, weights } = await readCurtainModel()
  const network = createNetwork(model, Uint8Array.from(weights).buffer)
  const before = memory().numTensors
  for (const seed of [1, 2, 3].slice(0, sized(1, 3))) {
    const pixels = blots(seed)
    const colours = pixels.filter((_, index) => index % 4 !== 3)
    const expected = scoresBy((batch) => original.predict(batch) as Tensor, colours)
    const scores = network(pixels)
    for (const name of PICTURE_CLASSES) expect(scores[name], `${name} of ${seed}`).toBeCloseTo(expected[name], 3)
  }
  expect(memory().numTensors).toBe(before)
  original.dispose()
})
