import { AppError } from '#protocol/errors.ts'
import { span } from '../trace.ts'

const WIDTH_MAX = 640
const QUALITY = 0.8

/** Takes ownership of `frame` and closes it in any case. Rejects with `encode-failed`. */
export async function encodeJpeg(frame: VideoFrame | ImageBitmap): Promise<Blob> {
  const start = performance.now()
  try {
    const canvas = canvasFor(frame)
    const context = canvas.getContext('2d', { alpha: false })
    if (!context) throw new AppError('encode-failed', 'No canvas to draw on')
    context.drawImage(frame, 0, 0, canvas.width, canvas.height)
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('encode-failed', String(error))
  } finally {
    frame.close()
    span('Frames', 'encode', start)
  }
}

function canvasFor(frame: VideoFrame | ImageBitmap): OffscreenCanvas {
  const { width, height } = sizeOf(frame)
  if (width === 0 || height === 0) throw new AppError('encode-failed', 'The frame is empty')
  const scale = Math.min(1, WIDTH_MAX / width)
  return new OffscreenCanvas(Math.round(width * scale), Math.max(1, Math.round(height * scale)))
}

function sizeOf(frame: VideoFrame | ImageBitmap): { width: number; height: number } {
  return 'displayWidth' in frame ? { width: frame.displayWidth, height: frame.displayHeight } : frame
}
