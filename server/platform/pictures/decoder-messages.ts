import * as v from 'valibot'
import type { PictureLimits } from './picture-refusal.ts'

/** The messages between the server and the process that decodes pictures. */

/** Far above the frames of clients, which are at most 640 pixels wide; a small file may have a header with a huge size. */
export const FRAME_LIMITS: PictureLimits = { name: 'A frame', pixels: 4_000_000 }
/** Without the limit, a picture of 256 megapixels would keep a core busy for 17 s. */
export const PROFILE_PICTURE_LIMITS: PictureLimits = { name: 'A picture', pixels: 24_000_000 }

/** Largest result: a clean frame full of noise with as many pixels as the limit allows. */
const RESULT_BYTES = 16 * 1024 * 1024

const bytes = v.custom<Uint8Array>((value) => value instanceof Uint8Array, 'no bytes')
const taskSchema = v.variant('task', [
  v.object({ task: v.literal('view'), bytes, side: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_024)) }),
  v.object({ task: v.literal('clean'), bytes }),
  v.object({ task: v.literal('shrink'), bytes, isBitmap: v.boolean() }),
  v.object({ task: v.literal('thumbnail'), bytes }),
])
export type DecoderTask = v.InferOutput<typeof taskSchema>

export const decoderQuestionSchema = v.intersect([v.object({ id: v.number() }), taskSchema])

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const pictureSchema = v.object({
  data: v.pipe(bytes, v.maxLength(RESULT_BYTES, 'larger than any result')),
  width: count,
  height: count,
  /** The perceptual hash of a cleaned frame; null for a frame of nearly one brightness. */
  print: v.optional(v.nullable(v.pipe(v.string(), v.hexadecimal(), v.maxLength(32)))),
})
export type DecodedPicture = v.InferOutput<typeof pictureSchema>

export const decoderAnswerSchema = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({
    type: v.literal('decoded'),
    id: v.number(),
    /** Null where the file could not be decoded. */
    picture: v.nullable(pictureSchema),
    /** Bytes of memory that the process holds after the picture. */
    memory: count,
  }),
])
export type DecoderAnswer = v.InferOutput<typeof decoderAnswerSchema>
