import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname, sep } from 'node:path'
import { enableProdMode, setBackend, tensor3d } from '@tensorflow/tfjs'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import { load } from 'nsfwjs/core'
import { MobileNetV2Model } from 'nsfwjs/models/mobilenet_v2'
import type * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import { type Answer, MODEL_SIDE, questionSchema, scoresSchema } from './classifier-messages.ts'

/** The process that classifies frames: it receives pixels without an account, and ends with the server. */

function send(answer: Answer): void {
  process.send?.(answer)
}

process.on('disconnect', () => process.exit(0))
// A lower priority than the server's: calls and the hub come first under load.
setPriority(constants.priority.PRIORITY_LOW)

enableProdMode()
const backend = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm')
setWasmPaths(dirname(backend) + sep)
if (!(await setBackend('wasm'))) throw new Error('The WASM backend does not start')
const model = await load('MobileNetV2', { modelDefinitions: [MobileNetV2Model] })

async function classify(pixels: Uint8Array): Promise<v.InferOutput<typeof scoresSchema>> {
  const picture = tensor3d(pixels, [MODEL_SIDE, MODEL_SIDE, 3], 'int32')
  try {
    const predictions = await model.classify(picture)
    const scores = predictions.map(({ className, probability }) => [className.toLowerCase(), probability])
    return parse(scoresSchema, Object.fromEntries(scores))
  } finally {
    picture.dispose()
  }
}

async function answer(message: unknown): Promise<void> {
  const { id, pixels } = parse(questionSchema, message)
  send({ type: 'scores', id, scores: await classify(pixels) })
}

// A fault ends the process, and the server starts another. Without this the WASM code's own listeners would handle uncaught errors.
process.on('message', (message) => void answer(message).catch(() => process.exit(1)))
send({ type: 'ready' })
