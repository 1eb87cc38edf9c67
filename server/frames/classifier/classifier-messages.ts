import * as v from 'valibot'
import { PICTURE_CLASSES } from '#protocol/explicit-score.ts'

export const MODEL_SIDE = 224
const MODEL_BYTES = MODEL_SIDE * MODEL_SIDE * 3

/** Red, green and blue of each pixel, row by row. */
export const questionSchema = v.object({
  id: v.number(),
  pixels: v.pipe(v.instance(Uint8Array), v.length(MODEL_BYTES, 'not the size of the model')),
})
export type Question = { id: number; pixels: Uint8Array }

const probability = v.pipe(v.number(), v.minValue(0), v.maxValue(1.001))
export const scoresSchema = v.object(v.entriesFromList(PICTURE_CLASSES, probability))

export const answerSchema = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('scores'), id: v.number(), scores: scoresSchema }),
])
export type Answer = v.InferOutput<typeof answerSchema>
