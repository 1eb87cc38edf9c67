import { expect, test } from 'vitest'
import { createPictureEditor } from '../../../src/account/io/picture-editor.ts'
import { camera } from '../../support/browser/cameras.ts'
import { startWorkers } from '../../support/browser/test-workers.ts'

const editor = () => createPictureEditor(startWorkers({ baseUrl: location.origin }))

/** A PNG whose left half is red, its right half blue. */
async function halves(width: number, height: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  for (const [colour, x] of [
    ['#f00', 0],
    ['#00f', width / 2],
  ] as const) {
    context.fillStyle = colour
    context.fillRect(x, 0, width / 2, height)
  }
  return canvas.convertToBlob({ type: 'image/png' })
}

async function look(picture: Blob) {
  const bitmap = await createImageBitmap(picture)
  const { width, height } = bitmap
  const context = new OffscreenCanvas(width, height).getContext('2d')
  context?.drawImage(bitmap, 0, 0)
  const [red = 0, , blue = 0] = context?.getImageData(width / 2, height / 2, 1, 1).data ?? []
  return { type: picture.type, width, height, colour: red > blue ? 'red' : 'blue' }
}

test('the square of a picture is cut out and encoded as a JPEG of at most 512 pixels', async () => {
  const { measure, crop } = editor()
  const picture = await halves(2_000, 1_000)
  expect(await measure(picture)).toEqual({ width: 2_000, height: 1_000 })
  const left = await look(await crop(picture, { x: 0, y: 0, side: 1_000 }))
  expect(left).toEqual({ type: 'image/jpeg', width: 512, height: 512, colour: 'red' })
  const right = await look(await crop(picture, { x: 1_200, y: 300, side: 200 }))
  expect(right).toEqual({ type: 'image/jpeg', width: 200, height: 200, colour: 'blue' })
})

test('what the browser cannot decode is refused', async () => {
  const { measure, crop } = editor()
  for (const file of [
    new Blob(['text']),
    new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/svg+xml' }),
  ]) {
    await expect(measure(file)).rejects.toMatchObject({ code: 'encode-failed' })
    await expect(crop(file, { x: 0, y: 0, side: 1 })).rejects.toMatchObject({ code: 'encode-failed' })
  }
})

test('the camera gives a still, and none once it has ended', async () => {
  const { still, measure } = editor()
  const stream = camera()
  expect(await measure(await still(stream))).toEqual({ width: 640, height: 360 })
  for (const track of stream.getTracks()) track.stop()
  await expect(still(stream)).rejects.toMatchObject({ code: 'camera-refused' })
})
