import * as v from 'valibot'
import { listOf } from '#protocol/parse.ts'

/**
 * The model as the build writes it: a MobileNet whose layers run one after the other. Weights are bytes; a byte stands for
 * `byte * scale + min`.
 */

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const shape = listOf(count, 4)
const weightsSchema = v.object({ shape, offset: count, scale: v.number(), min: v.number() })
const activation = v.picklist(['linear', 'relu6'])

const stepSchema = v.variant('kind', [
  /** A convolution of the last step's output, with such padding that only the stride reduces the size. */
  v.object({
    kind: v.picklist(['conv', 'depthwise']),
    filter: weightsSchema,
    bias: weightsSchema,
    stride: count,
    activation,
  }),
  /** Adds the output of an earlier step, counted from 0, to the last one. */
  v.object({ kind: v.literal('add'), step: count }),
])

export const modelSchema = v.object({
  name: v.string(),
  /** A colour from 0 to 255 enters as `colour * scale + min`. */
  input: v.object({ scale: v.number(), min: v.number() }),
  steps: listOf(stepSchema, 500),
  /** Computes a score of each class from the mean of each channel of the last step. */
  dense: v.object({ matrix: weightsSchema, bias: weightsSchema }),
})

export type CurtainModel = v.InferOutput<typeof modelSchema>
export type ModelStep = v.InferOutput<typeof stepSchema>
export type Weights = v.InferOutput<typeof weightsSchema>
