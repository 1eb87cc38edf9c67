import { AppError } from '#protocol/errors.ts'
import type { PictureOf, PictureState } from '#protocol/picture-state.ts'
import { span } from '../trace.ts'
import { READING_SIDE, readingOf } from './picture-reading.ts'
import { createPictureJudge, type PictureJudge } from './picture-state.ts'

/** Reads pictures of the own camera and of the peer, which it closes, and judges each of the two over time. */
export function createPictureReader() {
  let context: OffscreenCanvasRenderingContext2D | null = null
  const judges = new Map<PictureOf, PictureJudge>()

  return (picture: VideoFrame | ImageBitmap, of: PictureOf, isFirst: boolean): PictureState | null => {
    const start = performance.now()
    try {
      // Every picture is read back once, which is slow for a canvas in graphics memory.
      context ??= new OffscreenCanvas(READING_SIDE, READING_SIDE).getContext('2d', {
        alpha: false,
        willReadFrequently: true,
      })
      if (!context) throw new AppError('encode-failed', 'No canvas to draw on')
      context.drawImage(picture, 0, 0, READING_SIDE, READING_SIDE)
      const { data } = context.getImageData(0, 0, READING_SIDE, READING_SIDE)
      const judge = (!isFirst && judges.get(of)) || createPictureJudge(of)
      judges.set(of, judge)
      // Not the frame's own time, which Firefox does not tell.
      return judge(readingOf(data, READING_SIDE), start)
    } finally {
      picture.close()
      span('Frames', 'read', start)
    }
  }
}
