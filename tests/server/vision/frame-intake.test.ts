import sharp from 'sharp'
import { expect, test } from 'vitest'
import { takeFrame } from '../../../server/vision/frame-intake.ts'
import { jpegOf, jpegOfManyScans, pictureOfType, pretendingJpeg, tellingJpeg, tells } from '../../support/jpegs.ts'

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
const unreadable = { code: 'bad-request', message: 'This JPEG cannot be read', details: { field: 'VideoFrame' } }

test('a frame goes on as a JPEG of its size that can be seen', async () => {
  const frame = await jpegOf({ width: 640, height: 360 })
  const { jpeg, width, height } = await takeFrame(frame)
  expect([width, height]).toEqual([640, 360])
  const [before, after] = await Promise.all([sharp(frame).stats(), sharp(jpeg).stats()])
  expect((await sharp(jpeg).metadata()).format).toBe('jpeg')
  expect(after.channels[0]?.mean).toBeCloseTo(before.channels[0]?.mean ?? 0, 0)
})

test('nothing of the file goes on but what can be seen, which stands upright', async () => {
  const frame = await tellingJpeg({ width: 64, height: 48 })
  const told = await sharp(frame).metadata()
  expect([told.exif, told.icc, told.xmp].map((part) => part !== undefined)).toEqual([true, true, true])
  expect(tells(frame)).toBe(true)
  const { jpeg, width, height } = await takeFrame(frame)
  const { exif, icc, xmp, iptc, orientation } = await sharp(jpeg).metadata()
  expect({ exif, icc, xmp, iptc, orientation }).toEqual({})
  expect(tells(jpeg)).toBe(false)
  expect([width, height]).toEqual([48, 64])
})

test('shades of grey and printing colours go on as colours of a screen', async () => {
  const frame = sharp(await jpegOf({ width: 64, height: 48 }))
  for (const space of ['b-w', 'cmyk'] as const) {
    const { jpeg } = await takeFrame(await frame.clone().toColourspace(space).jpeg().toBuffer())
    expect(await sharp(jpeg).metadata()).toMatchObject({ space: 'srgb', channels: 3 })
  }
})

test.each(['png', 'gif', 'webp'] as const)('a %s is no frame, whatever it is called', async (type) => {
  await expect(takeFrame(await pictureOfType(type))).rejects.toMatchObject({ code: 'wrong-type' })
})

test.each([
  { what: 'SVG', bytes: svg },
  { what: 'nothing', bytes: Buffer.alloc(0) },
  { what: 'the beginning of the magic bytes', bytes: Buffer.of(0xff, 0xd8) },
  { what: 'a PNG header behind a line', bytes: Buffer.from('\n\x89PNG\r\n\x1a\n') },
])('$what is no frame', async ({ bytes }) => {
  await expect(takeFrame(bytes)).rejects.toMatchObject({ code: 'wrong-type', details: { field: 'VideoFrame' } })
})

test.each([1, 10, 50, 99])('a JPEG of which %i percent came is refused', async (percent) => {
  const frame = await jpegOf({ width: 640, height: 360 })
  await expect(takeFrame(frame.subarray(0, Math.floor((frame.length * percent) / 100)))).rejects.toMatchObject(
    unreadable,
  )
})

test.each([
  { what: 'magic bytes alone', bytes: Buffer.of(0xff, 0xd8, 0xff, 0xe0) },
  { what: 'SVG behind magic bytes', bytes: Buffer.concat([Buffer.of(0xff, 0xd8, 0xff), svg]) },
])('$what cannot be read', async ({ bytes }) => {
  await expect(takeFrame(bytes)).rejects.toMatchObject(unreadable)
})

test('a header of 256 megapixels is refused before anything is decoded', async () => {
  const frame = await pretendingJpeg({ width: 16_000, height: 16_000 })
  const start = performance.now()
  await expect(takeFrame(frame)).rejects.toMatchObject({
    code: 'bad-request',
    message: 'A frame has at most 4000000 pixels',
  })
  // A millisecond; decoding would take a core for 17 s.
  expect(performance.now() - start).toBeLessThan(500)
})

test.each([
  { width: 65_500, height: 62 },
  { width: 2_000, height: 2_001 },
])('$width x $height pixels are too many', async (size) => {
  await expect(takeFrame(await pretendingJpeg(size))).rejects.toMatchObject({
    message: expect.stringContaining('pixels'),
  })
})

test('the largest frame is taken', async () => {
  expect(await takeFrame(await jpegOf({ width: 2_000, height: 2_000 }, 10))).toMatchObject({
    width: 2_000,
    height: 2_000,
  })
})

test('a file that is made to be slow is refused', async () => {
  await expect(takeFrame(await jpegOfManyScans(10_000))).rejects.toMatchObject(unreadable)
})

test('the event loop goes on while frames are decoded', async () => {
  const frames = await Promise.all(Array.from({ length: 8 }, () => jpegOf({ width: 1_600, height: 1_200 }, 30)))
  let turns = 0
  const turning = setInterval(() => {
    turns += 1
  }, 0)
  await Promise.all(frames.map((frame) => takeFrame(frame)))
  clearInterval(turning)
  expect(turns).toBeGreaterThan(0)
})
