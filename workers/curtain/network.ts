import { Add, engine, FusedConv2D, FusedDepthwiseConv2D, type Tensor, tensor } from '@tensorflow/tfjs-core'
import { PICTURE_CLASSES, type PictureScores } from '#protocol/explicit-score.ts'
import { LOOK_SIDE } from './contract.ts'
import type { CurtainModel, ModelStep, Weights } from './model-file.ts'

/** Returns the model's scores of LOOK_SIDE times LOOK_SIDE pixels: red, green, blue and opacity of each, row by row. */
export type Network = (pixels: Uint8ClampedArray | Uint8Array) => PictureScores

type Layer = (input: Tensor, earlier: ReadonlyMap<number, Tensor>) => Tensor

/** Returns a function that runs the model on the backend that tfjs is set to. Throws for weights that do not fit the model. */
export function createNetwork({ input, steps, dense }: CurtainModel, bytes: ArrayBuffer): Network {
  const layers = steps.map((step) => layerOf(step, bytes))
  /** The steps whose output a later step adds. */
  const added = new Set(steps.flatMap((step) => (step.kind === 'add' ? [step.step] : [])))
  const [matrix, bias] = [valuesOf(dense.matrix, bytes), valuesOf(dense.bias, bytes)]

  /** Frees each output when no further step needs it: together the outputs would take a hundred megabytes. */
  function runLayers(first: Tensor): Tensor {
    const kept = new Map<number, Tensor>()
    let last = first
    for (const [index, layer] of layers.entries()) {
      const output = layer(last, kept)
      if (!added.has(index - 1)) last.dispose()
      if (added.has(index)) kept.set(index, output)
      last = output
    }
    for (const tensor of kept.values()) tensor.dispose()
    return last
  }

  return (pixels) => {
    const colours = new Float32Array(LOOK_SIDE * LOOK_SIDE * 3)
    for (let from = 0, to = 0; to < colours.length; from += 1) {
      if (from % 4 === 3) continue
      colours[to] = (pixels[from] ?? 0) * input.scale + input.min
      to += 1
    }
    const last = runLayers(tensor(colours, [1, LOOK_SIDE, LOOK_SIDE, 3]))
    const means = meansOf(last.dataSync() as Float32Array, last.shape.at(-1) ?? 0)
    last.dispose()
    return scoresOf(multiply(means, matrix, bias))
  }
}

function valuesOf({ shape, offset, scale, min }: Weights, bytes: ArrayBuffer): Float32Array {
  const size = shape.reduce((all, side) => all * side, 1)
  return Float32Array.from(new Uint8Array(bytes, offset, size), (byte) => byte * scale + min)
}

function layerOf(step: ModelStep, bytes: ArrayBuffer): Layer {
  if (step.kind === 'add') {
    return (input, earlier) => {
      const other = earlier.get(step.step)
      if (!other) throw new Error(`No output of step ${step.step} to add`)
      return engine().runKernel(Add, { a: input, b: other })
    }
  }
  const kernel = step.kind === 'conv' ? FusedConv2D : FusedDepthwiseConv2D
  const [filter, bias] = [step.filter, step.bias].map((weights) => tensor(valuesOf(weights, bytes), weights.shape))
  if (!(filter && bias)) throw new Error('A convolution has filter and bias')
  const attributes = {
    strides: [step.stride, step.stride],
    dilations: [1, 1],
    pad: 'same',
    dataFormat: 'NHWC',
    activation: step.activation,
  }
  return (input) => engine().runKernel(kernel, { x: input, filter, bias }, attributes)
}

/** The mean of each channel over all places of a map of features. */
function meansOf(features: Float32Array, channels: number): Float32Array {
  const means = new Float32Array(channels)
  const places = features.length / channels
  for (const [index, value] of features.entries()) {
    const channel = index % channels
    means[channel] = (means[channel] ?? 0) + value / places
  }
  return means
}

function multiply(row: Float32Array, matrix: Float32Array, bias: Float32Array): number[] {
  return Array.from(bias, (start, column) =>
    row.reduce((sum, value, line) => sum + value * (matrix[line * bias.length + column] ?? 0), start),
  )
}

/** Softmax. */
function scoresOf(logits: number[]): PictureScores {
  const highest = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - highest))
  const sum = powers.reduce((all, power) => all + power, 0)
  const scores: PictureScores = { drawing: 0, hentai: 0, neutral: 0, porn: 0, sexy: 0 }
  for (const [index, name] of PICTURE_CLASSES.entries()) scores[name] = (powers[index] ?? 0) / sum
  return scores
}
