import { expect, test, vi } from 'vitest'
import { createJpegEncoder } from '#workers/media/jpeg-encoder.ts'

function pictureFrame(colour: string, width = 16, height = 16): VideoFrame {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fillStyle = colour
  context.fillRect(0, 0, width, height)
  return new VideoFrame(canvas, { timestamp: 0 })
}

test('a frame is closed after success and after failure', async () => {
  const encodeJpeg = createJpegEncoder()
  const frame = pictureFrame('black')
  const jpeg = await encodeJpeg(frame)
  expect(jpeg.type).toBe('image/jpeg')
  expect(frame.format === null).toBe(true)
  // Closed already, so that there is nothing to draw.
  const close = vi.spyOn(frame, 'close')
  await expect(encodeJpeg(frame)).rejects.toMatchObject({ code: 'encode-failed' })
  expect(close).toHaveBeenCalledOnce()
})

test('concurrent frames of any size keep their own pixels', async () => {
  const encodeJpeg = createJpegEncoder()
  const wanted = [
    { colour: 'red', width: 640, height: 480 },
    { colour: 'lime', width: 640, height: 480 },
    { colour: 'blue', width: 100, height: 40 },
    { colour: 'white', width: 1280, height: 720 },
    { colour: 'red', width: 720, height: 1280 },
  ]
  const jpegs = await Promise.all(
    wanted.map(({ colour, width, height }) => encodeJpeg(pictureFrame(colour, width, height))),
  )
  const pictures = await Promise.all(jpegs.map((jpeg) => createImageBitmap(jpeg)))
  expect(pictures.map(({ width, height }) => [width, height])).toEqual([
    [640, 480],
    [640, 480],
    [100, 40],
    [640, 360],
    [640, 1138],
  ])
  const coloursOf = (picture: ImageBitmap) => {
    const context = new OffscreenCanvas(1, 1).getContext('2d')
    context?.drawImage(picture, 0, 0)
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3).map((value) => Math.round(value / 255))
  }
  expect(pictures.map(coloursOf)).toEqual([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 1],
    [1, 0, 0],
  ])
})
