import { AppError } from '#protocol/errors.ts'
import { span } from '../trace.ts'
import { FRAME_JPEG, jpegSize } from './contract.ts'

/**
 * Returns a function that encodes a frame as JPEG. It takes ownership of the frame and closes it, also on failure, and
 * rejects with `encode-failed`. It reuses one canvas, because successive frames have the same size.
 */
export function createJpegEncoder() {
  let canvas: OffscreenCanvas | undefined
  let context: OffscreenCanvasRenderingContext2D | null = null

  /** Draws and starts to encode in one task, so that concurrent frames do not mix on the shared canvas. */
  function encode(frame: VideoFrame | ImageBitmap): Promise<Blob> {
    const { width, height } = sizeOf(frame)
    if (width === 0 || height === 0) throw new AppError('encode-failed', 'The frame is empty')
    const size = jpegSize(width, height)
    canvas ??= new OffscreenCanvas(size.width, size.height)
    // Every picture is read back once, which is slow for a canvas in graphics memory.
    context ??= canvas.getContext('2d', { alpha: false, willReadFrequently: true })
    if (!context) throw new AppError('encode-failed', 'No canvas to draw on')
    // Setting the size clears and reallocates the canvas even if the size is unchanged.
    if (canvas.width !== size.width) canvas.width = size.width
    if (canvas.height !== size.height) canvas.height = size.height
    context.drawImage(frame, 0, 0, size.width, size.height)
    return canvas.convertToBlob(FRAME_JPEG)
  }

  return async (frame: VideoFrame | ImageBitmap): Promise<Blob> => {
    const start = performance.now()
    try {
      return await encode(frame)
    } catch (error) {
      throw error instanceof AppError ? error : new AppError('encode-failed', String(error))
    } finally {
      frame.close()
      span('Frames', 'encode', start)
    }
  }
}

function sizeOf(frame: VideoFrame | ImageBitmap): { width: number; height: number } {
  return 'displayWidth' in frame ? { width: frame.displayWidth, height: frame.displayHeight } : frame
}
