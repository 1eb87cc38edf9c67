// This module is the backend without its 140 kernels: `startWasmBackend` registers the three of a MobileNet.
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm/dist/base'
import { addConfig } from '@tensorflow/tfjs-backend-wasm/dist/kernels/Add'
import { fusedConv2DConfig } from '@tensorflow/tfjs-backend-wasm/dist/kernels/FusedConv2D'
import { fusedDepthwiseConv2DConfig } from '@tensorflow/tfjs-backend-wasm/dist/kernels/FusedDepthwiseConv2D'
import { enableProdMode, env, registerKernel, setBackend } from '@tensorflow/tfjs-core'
import { AppError } from '#protocol/errors.ts'
import { explicitScore, FLAG_SCORE_PERCENT } from '#protocol/explicit-score.ts'
import { parse } from '#protocol/parse.ts'
import type { PictureOf } from '#protocol/picture-state.ts'
import { readingOf } from '../media/picture-reading.ts'
import { createPictureJudge } from '../media/picture-state.ts'
import { span } from '../trace.ts'
import { type CurtainFile, type CurtainWorker, LOOK_SIDE, type PictureLook } from './contract.ts'
import { modelSchema } from './model-file.ts'
import { createNetwork, type Network } from './network.ts'
import { type FrameSource, newestFrameOf } from './newest-frame.ts'
import { createRoutine } from './routine.ts'

export function createCurtainWorker(): CurtainWorker {
  const canvas = new OffscreenCanvas(LOOK_SIDE, LOOK_SIDE)
  // Every picture is read back once, which is slow for a canvas in graphics memory.
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })
  let network: Network | null = null
  const watched = new Map<number, FrameSource>()
  const judges = { peer: createPictureJudge('peer'), own: createPictureJudge('own') }

  function look(picture: VideoFrame | ImageBitmap, of: PictureOf | null): PictureLook {
    const start = performance.now()
    try {
      if (!(network && context)) throw new AppError('worker-error', 'The model is not loaded')
      const { x, y, width, height } = middleOf(picture)
      context.drawImage(picture, x, y, width, height, 0, 0, LOOK_SIDE, LOOK_SIDE)
      const { data } = context.getImageData(0, 0, LOOK_SIDE, LOOK_SIDE)
      const score = explicitScore(network(data))
      const state = of && judges[of](readingOf(data, LOOK_SIDE), start)
      return { flagged: score * 100 >= FLAG_SCORE_PERCENT, score, state }
    } finally {
      picture.close()
      span('Frames', 'look', start)
    }
  }

  async function lookAt(id: number, of: PictureOf): Promise<PictureLook | null> {
    const frame = await watched.get(id)?.take()
    return frame ? look(frame, of) : null
  }

  return {
    async load(files) {
      const read = [readFile(files.wasm), readFile(files.layers), readFile(files.weights)] as const
      const [wasm, layers, weights] = await Promise.all(read)
      try {
        const model = parse(modelSchema, JSON.parse(new TextDecoder().decode(layers)))
        await startWasmBackend(wasm)
        network = createNetwork(model, weights)
        const empty = new Uint8Array(LOOK_SIDE * LOOK_SIDE * 4)
        network(empty)
        const start = performance.now()
        network(empty)
        return performance.now() - start
      } catch (error) {
        throw new AppError('curtain-model-damaged', String(error))
      }
    },

    look: async (picture, of) => look(picture, of),

    async watch(id, frames) {
      watched.set(id, newestFrameOf(frames))
    },

    lookAt,
    ...createRoutine(lookAt),

    async unwatch(id) {
      watched.get(id)?.end()
      watched.delete(id)
    },
  }
}

/** Longest part of a picture that is looked at: its longer side in multiples of the shorter one. */
const LENGTH_MAX = 2

/**
 * Returns the part of the picture that is looked at: all of it, or the middle of a very long one. A screen shows only
 * the middle of a very long picture, and the whole, squeezed into a square, would be too narrow to be recognised.
 */
function middleOf(picture: VideoFrame | ImageBitmap) {
  const size =
    'displayWidth' in picture ? [picture.displayWidth, picture.displayHeight] : [picture.width, picture.height]
  const [whole = 0, high = 0] = size
  const width = Math.min(whole, LENGTH_MAX * high)
  const height = Math.min(high, LENGTH_MAX * whole)
  return { x: (whole - width) / 2, y: (high - height) / 2, width, height }
}

/** Rejects with `curtain-model-missing` or `curtain-model-damaged`. */
async function readFile({ url, digest }: CurtainFile): Promise<ArrayBuffer> {
  const bytes = await fetchBytes(url)
  const digestHere = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const text = Array.from(digestHere, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (text !== digest) throw new AppError('curtain-model-damaged', `${url} is not the file of this build`)
  return bytes
}

async function fetchBytes(url: string): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`status ${response.status}`)
    return await response.arrayBuffer()
  } catch (error) {
    throw new AppError('curtain-model-missing', `${url}: ${String(error)}`)
  }
}

/** Starts the WebAssembly code, on this thread alone, with the kernels of a MobileNet. Rejects if the browser refuses it. */
async function startWasmBackend(code: ArrayBuffer): Promise<void> {
  enableProdMode()
  env().set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  for (const kernel of [addConfig, fusedConv2DConfig, fusedDepthwiseConv2DConfig]) registerKernel(kernel)
  const address = URL.createObjectURL(new Blob([code], { type: 'application/wasm' }))
  try {
    setWasmPaths({
      'tfjs-backend-wasm.wasm': address,
      'tfjs-backend-wasm-simd.wasm': address,
      'tfjs-backend-wasm-threaded-simd.wasm': address,
    })
    if (!(await setBackend('wasm'))) throw new Error('The WASM backend does not start')
  } finally {
    URL.revokeObjectURL(address)
  }
}
