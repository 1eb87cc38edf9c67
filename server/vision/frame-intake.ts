import sharp, { type Sharp } from 'sharp'
import { AppError } from '#protocol/errors.ts'
import type { CleanFrame, FrameView } from '../domain/frame-ports.ts'
import { pictureType } from './picture-type.ts'

// One thread a picture, for the whole server: more make none faster, and each is taken from the hub.
sharp.concurrency(1)

/** More than a client sends, which is at most 640 pixels wide; a small file may still claim to be huge. */
const FRAME_PIXELS = 4_000_000
/** A file can also be made to be slow. A client's frame takes milliseconds. */
const TIME_LIMIT_SECONDS = 2

/** Judges by the header, and answers what decodes the frame upright, with the size that it then has. */
async function checked(bytes: Uint8Array): Promise<{ upright: Sharp; width: number; height: number }> {
  if (pictureType(bytes) !== 'jpeg') throw new AppError('wrong-type', 'A frame is a JPEG', { field: 'VideoFrame' })
  const { autoOrient } = await readable(sharp(bytes, { limitInputPixels: false }).metadata())
  if (autoOrient.width * autoOrient.height > FRAME_PIXELS)
    throw new AppError('bad-request', `A frame has at most ${FRAME_PIXELS} pixels`, { field: 'VideoFrame' })
  const upright = sharp(bytes, { limitInputPixels: FRAME_PIXELS }).timeout({ seconds: TIME_LIMIT_SECONDS }).autoOrient()
  return { upright, ...autoOrient }
}

/**
 * The frame upright and encoded anew, so that nothing of the file goes on but what can be seen: no place, no profile, no comment,
 * nothing behind its end. Rejects with wrong-type, or bad-request where it is no JPEG of a sane size, whole and readable.
 */
export async function takeFrame(bytes: Uint8Array): Promise<CleanFrame> {
  const { upright } = await checked(bytes)
  const { data, info } = await readable(upright.jpeg().toBuffer({ resolveWithObject: true }))
  return { jpeg: data, width: info.width, height: info.height }
}

/**
 * The frame as a square of pixels, red, green and blue, row by row. It is decoded once and no larger than the square needs, which costs
 * a third of `takeFrame`. Rejects as that does.
 */
export async function viewFrame(bytes: Uint8Array, side: number): Promise<FrameView> {
  const { upright, width, height } = await checked(bytes)
  const square = upright.resize(side, side, { fit: 'fill' }).toColourspace('srgb').removeAlpha()
  return { pixels: await readable(square.raw().toBuffer()), side, width, height }
}

async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch {
    throw new AppError('bad-request', 'This JPEG cannot be read', { field: 'VideoFrame' })
  }
}
