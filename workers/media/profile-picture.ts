import { AppError } from '#protocol/errors.ts'
import { areReadsChanged } from './changed-reads.ts'
import { type PictureCrop, PROFILE_JPEG } from './contract.ts'

/** Decodes a picture upright. Rejects with `encode-failed`. */
async function decode(picture: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(picture)
  } catch (error) {
    throw new AppError('encode-failed', String(error))
  }
}

export async function measurePicture(picture: Blob): Promise<{ width: number; height: number }> {
  if (areReadsChanged()) throw new AppError('canvas-changed')
  const bitmap = await decode(picture)
  const { width, height } = bitmap
  bitmap.close()
  return { width, height }
}

export async function cropPicture(picture: Blob, { x, y, side }: PictureCrop): Promise<Blob> {
  const bitmap = await decode(picture)
  try {
    const size = Math.max(1, Math.min(PROFILE_JPEG.side, Math.round(side)))
    const canvas = new OffscreenCanvas(size, size)
    const context = canvas.getContext('2d', { alpha: false })
    if (!context) throw new AppError('encode-failed', 'No canvas to draw on')
    // White behind transparent parts, which a JPEG cannot have.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, size, size)
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, x, y, side, side, 0, 0, size, size)
    return await canvas.convertToBlob(PROFILE_JPEG)
  } finally {
    bitmap.close()
  }
}
