import sharp from 'sharp'
import { AppError } from '#protocol/errors.ts'
import { pictureType } from './picture-type.ts'

/** More than any camera here sends; a small file may still claim to be huge. */
const FRAME_PIXELS = 4096 * 4096

/** Reads the header alone. Rejects with wrong-type, or bad-request where it is no JPEG of a sane size. */
export async function checkFrame(bytes: Uint8Array): Promise<void> {
  if (pictureType(bytes) !== 'jpeg') throw new AppError('wrong-type', 'A frame is a JPEG', { field: 'VideoFrame' })
  const { width, height } = await readHeader(bytes)
  if (width * height > FRAME_PIXELS)
    throw new AppError('bad-request', `A frame has at most ${FRAME_PIXELS} pixels`, { field: 'VideoFrame' })
}

async function readHeader(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata()
  } catch {
    throw new AppError('bad-request', 'This JPEG cannot be read', { field: 'VideoFrame' })
  }
}
