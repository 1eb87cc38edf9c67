import { AppError } from '#protocol/errors.ts'
import { span } from '../trace.ts'
import { FRAME_JPEG, jpegSize } from './contract.ts'

/** Takes ownership of `frame` and closes it in any case. Rejects with `encode-failed`. */
type EncodeJpeg = (frame: VideoFrame | ImageBitmap) => Promise<Blob>

/** Frames follow one another in one size: the canvas is made once and kept. */
export function createJpegEncoder(): EncodeJpeg {
  let canvas: OffscreenCanvas | undefined
  let context: OffscreenCanvasRenderingContext2D | null = null

  /** Drawing and the start of the encoding are one step, so that frames which meet here keep their own pixels. */
  function encode(frame: VideoFrame | ImageBitmap): Promise<Blob> {
    const { width, height } = sizeOf(frame)
    if (width === 0 || height === 0) throw new AppError('encode-failed', 'The frame is empty')
    const size = jpegSize(width, height)
    canvas ??= new OffscreenCanvas(size.width, size.height)
    // Every picture is read back once, which a canvas in graphics memory is slow at.
    context ??= canvas.getContext('2d', { alpha: false, willReadFrequently: true })
    if (!context) throw new AppError('encode-failed', 'No canvas to draw on')
    // Setting a size clears the canvas and gives it new memory, also where the size is the same.
    if (canvas.width !== size.width) canvas.width = size.width
    if (canvas.height !== size.height) canvas.height = size.height
    context.drawImage(frame, 0, 0, size.width, size.height)
    return canvas.convertToBlob(FRAME_JPEG)
  }

  return async (frame) => {
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
