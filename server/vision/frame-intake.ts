import sharp from 'sharp'
import { AppError } from '#protocol/errors.ts'
import type { CleanFrame } from '../domain/frame-ports.ts'
import { MODEL_SIDE } from './classifier-messages.ts'
import { pictureType } from './picture-type.ts'

// One thread a picture, for the whole server: more make none faster, and each is taken from the hub.
sharp.concurrency(1)

/** More than a client sends, which is at most 640 pixels wide; a small file may still claim to be huge. */
const FRAME_PIXELS = 4_000_000
/** A file can also be made to be slow. A client's frame takes milliseconds. */
const TIME_LIMIT_SECONDS = 2

/**
 * The frame upright and encoded anew, so that nothing of the file goes on but what can be seen: no place, no profile, no comment,
 * nothing behind its end. Judges by the header before it decodes. Rejects with wrong-type, or bad-request where it is no JPEG of a
 * sane size, whole and readable.
 */
export async function takeFrame(bytes: Uint8Array): Promise<CleanFrame> {
  if (pictureType(bytes) !== 'jpeg') throw new AppError('wrong-type', 'A frame is a JPEG', { field: 'VideoFrame' })
  const { width, height } = await readable(sharp(bytes, { limitInputPixels: false }).metadata())
  if (width * height > FRAME_PIXELS)
    throw new AppError('bad-request', `A frame has at most ${FRAME_PIXELS} pixels`, { field: 'VideoFrame' })
  const { data, info } = await readable(
    sharp(bytes, { limitInputPixels: FRAME_PIXELS })
      .timeout({ seconds: TIME_LIMIT_SECONDS })
      .autoOrient()
      .jpeg()
      .toBuffer({ resolveWithObject: true }),
  )
  return { jpeg: data, width: info.width, height: info.height }
}

/** A frame that was taken, as the square of pixels that the model looks at: red, green and blue, row by row. */
export async function shrinkFrame(jpeg: Uint8Array): Promise<{ pixels: Uint8Array; side: number }> {
  const pixels = await sharp(jpeg).resize(MODEL_SIDE, MODEL_SIDE, { fit: 'fill' }).removeAlpha().raw().toBuffer()
  return { pixels, side: MODEL_SIDE }
}

async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch {
    throw new AppError('bad-request', 'This JPEG cannot be read', { field: 'VideoFrame' })
  }
}
