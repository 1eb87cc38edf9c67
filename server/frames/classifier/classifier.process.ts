import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname, sep } from 'node:path'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import { enableProdMode, setBackend } from '@tensorflow/tfjs-core'
import { MobileNetV2Model } from 'nsfwjs/models/mobilenet_v2'
import { parse } from '#protocol/parse.ts'
import { type Answer, questionSchema, scoresSchema } from './classifier-messages.ts'
import { loadNsfwModel } from './nsfw-model.ts'

/** The process that classifies frames: it receives pixels without an account, and ends with the server. */

function send(answer: Answer): void {
  process.send?.(answer)
}

process.on('disconnect', () => process.exit(0))
// Calls and the hub come first under load. Not PRIORITY_LOW: two busy processes would leave the classifier 1.5 % of a
// core, and no picture would be classified.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

enableProdMode()
const backend = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm')
setWasmPaths(dirname(backend) + sep)
if (!(await setBackend('wasm'))) throw new Error('The WASM backend does not start')
const scoresOf = await loadNsfwModel(MobileNetV2Model)

function answer(message: unknown): void {
  const { id, pixels } = parse(questionSchema, message)
  send({ type: 'scores', id, scores: parse(scoresSchema, scoresOf(pixels)) })
}

// A fault ends the process, and the server starts another. Without this handler, the WASM code's own listeners would
// handle uncaught errors.
process.on('message', (message) => {
  try {
    answer(message)
  } catch {
    process.exit(1)
  }
})
send({ type: 'ready' })
