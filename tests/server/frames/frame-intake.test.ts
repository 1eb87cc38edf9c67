import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { createFrameIntake } from '../../../server/frames/frame-intake.ts'
import { comparePrints } from '../../../server/moderation/rules/picture-agreement.ts'
import { DecoderPool } from '../../../server/platform/pictures/decoder-pool.ts'
import { slowJpeg } from '../../support/attacks/slow-pictures.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { jpegOf, pictureOfType, pretendingJpeg, tellingJpeg, tells } from '../../support/pictures/jpegs.ts'

const pool = new DecoderPool({ clock: movableClock(), log: pino({ level: 'silent' }) })
afterAll(() => pool.stop())
const intake = createFrameIntake(pool)
let senders = 0
/** Each frame comes from somebody else. */
const newSender = () => ({ accountId: `sender ${senders++}` })
const takeFrame = (bytes: Uint8Array) => intake.takeFrame(bytes, newSender())
const viewFrame = (bytes: Uint8Array, side: number) => intake.viewFrame(bytes, side, newSender())

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
const unreadable = { code: 'bad-request', message: 'This JPEG cannot be read', details: { field: 'VideoFrame' } }

test('a frame becomes a readable JPEG of its size', async () => {
  const frame = await jpegOf({ width: 640, height: 360 })
  const { jpeg, width, height } = await takeFrame(frame)
  expect([width, height]).toEqual([640, 360])
  const [before, after] = await Promise.all([sharp(frame).stats(), sharp(jpeg).stats()])
  expect((await sharp(jpeg).metadata()).format).toBe('jpeg')
  expect(after.channels[0]?.mean).toBeCloseTo(before.channels[0]?.mean ?? 0, 0)
})

test('the result is upright and contains no metadata', async () => {
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

test('a frame has a hash, which a smaller and worse copy shares, and a frame of one colour has none', async () => {
  const drawing = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#888"/><circle cx="200" cy="240" r="120" fill="#fff"/><rect x="400" y="60" width="160" height="300" fill="#000"/></svg>',
  )
  const [whole, copy] = await Promise.all([
    sharp(drawing).jpeg({ quality: 90 }).toBuffer().then(takeFrame),
    sharp(drawing).resize(160).blur(2).jpeg({ quality: 20 }).toBuffer().then(takeFrame),
  ])
  expect(comparePrints(whole.print, copy.print)).toBe('agree')
  const mirrored = await sharp(drawing).flop().jpeg().toBuffer().then(takeFrame)
  expect(comparePrints(whole.print, mirrored.print)).toBe('disagree')
  const black = sharp({ create: { width: 64, height: 48, channels: 3, background: '#000' } })
  expect((await takeFrame(await black.jpeg().toBuffer())).print).toBeNull()
})

test('grey and CMYK pictures become RGB', async () => {
  const frame = sharp(await jpegOf({ width: 64, height: 48 }))
  for (const space of ['b-w', 'cmyk'] as const) {
    const { jpeg } = await takeFrame(await frame.clone().toColourspace(space).jpeg().toBuffer())
    expect(await sharp(jpeg).metadata()).toMatchObject({ space: 'srgb', channels: 3 })
  }
})

const ways = [
  { way: 'taken', open: takeFrame },
  { way: 'viewed', open: (bytes: Uint8Array) => viewFrame(bytes, 72) },
]

test.each([72, 224])(
  'a frame is viewed as an upright square of %i pixels a side, in any colour space',
  async (side) => {
    const frame = sharp(await jpegOf({ width: 64, height: 48 }))
    for (const space of ['srgb', 'b-w', 'cmyk'] as const) {
      const view = await viewFrame(await frame.clone().toColourspace(space).jpeg().toBuffer(), side)
      expect(view).toMatchObject({ side, width: 64, height: 48 })
      expect(view.pixels).toHaveLength(side * side * 3)
    }
    // The upper half is red as it is seen, and the left one as it is stored.
    const half = await sharp({ create: { width: 32, height: 48, channels: 3, background: '#f00' } })
      .png()
      .toBuffer()
    const lying = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#00f' } })
      .composite([{ input: half, left: 0, top: 0 }])
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { pixels, width, height } = await viewFrame(lying, side)
    expect([width, height]).toEqual([48, 64])
    const redAt = (x: number, y: number) => pixels[(y * side + x) * 3] ?? 0
    const [near, far] = [Math.floor(side / 8), Math.ceil((side * 7) / 8)]
    expect([redAt(near, near), redAt(far, near)].every((red) => red > 200)).toBe(true)
    expect([redAt(near, far), redAt(far, far)].every((red) => red < 50)).toBe(true)
  },
)

test.each(['png', 'gif', 'webp'] as const)('a %s is no frame, with any content type', async (type) => {
  const bytes = await pictureOfType(type)
  for (const { open } of ways) await expect(open(bytes)).rejects.toMatchObject({ code: 'wrong-type' })
})

test.each([
  { what: 'SVG', bytes: svg },
  { what: 'nothing', bytes: Buffer.alloc(0) },
  { what: 'the beginning of the magic bytes', bytes: Buffer.of(0xff, 0xd8) },
  { what: 'a PNG header behind a line', bytes: Buffer.from('\n\x89PNG\r\n\x1a\n') },
])('$what is no frame', async ({ bytes }) => {
  const refusal = { code: 'wrong-type', details: { field: 'VideoFrame' } }
  for (const { open } of ways) await expect(open(bytes)).rejects.toMatchObject(refusal)
})

test.each([1, 10, 50, 99])('a JPEG cut at %i percent is refused', async (percent) => {
  const frame = await jpegOf({ width: 640, height: 360 })
  const part = frame.subarray(0, Math.floor((frame.length * percent) / 100))
  for (const { open } of ways) await expect(open(part)).rejects.toMatchObject(unreadable)
})

test.each([
  { what: 'magic bytes alone', bytes: Buffer.of(0xff, 0xd8, 0xff, 0xe0) },
  { what: 'SVG behind magic bytes', bytes: Buffer.concat([Buffer.of(0xff, 0xd8, 0xff), svg]) },
])('$what cannot be read', async ({ bytes }) => {
  for (const { open } of ways) await expect(open(bytes)).rejects.toMatchObject(unreadable)
})

test('a header of 256 megapixels is refused before anything is decoded', async () => {
  const frame = await pretendingJpeg({ width: 16_000, height: 16_000 })
  const decode = vi.fn(pool.decode)
  const watched = createFrameIntake({ decode })
  const refusal = { code: 'bad-request', message: 'A frame has at most 4000000 pixels' }
  await expect(watched.takeFrame(frame, newSender())).rejects.toMatchObject(refusal)
  await expect(watched.viewFrame(frame, 72, newSender())).rejects.toMatchObject(refusal)
  expect(decode).not.toHaveBeenCalled()
})

test.each([
  { width: 65_500, height: 62 },
  { width: 2_000, height: 2_001 },
])('$width x $height pixels are too many', async (size) => {
  const bytes = await pretendingJpeg(size)
  for (const { open } of ways)
    await expect(open(bytes)).rejects.toMatchObject({ message: expect.stringContaining('pixels') })
})

test('the largest frame is accepted', async () => {
  const bytes = await jpegOf({ width: 2_000, height: 2_000 }, 10)
  for (const { open } of ways) expect(await open(bytes)).toMatchObject({ width: 2_000, height: 2_000 })
})

test.each(ways)('a file that is made to be slow is refused when it is $way', async ({ open }) => {
  const message = 'A JPEG has at most 100 scans'
  await expect(open(slowJpeg({ width: 2_000, height: 2_000, scans: 101 }))).rejects.toMatchObject({
    ...unreadable,
    message,
  })
  expect(await open(slowJpeg({ width: 2_000, height: 2_000, scans: 100 }))).toMatchObject({ width: 2_000 })
})

test('the event loop goes on while frames are decoded', async () => {
  const frames = await Promise.all(Array.from({ length: 8 }, () => jpegOf({ width: 1_600, height: 1_200 }, 30)))
  let turns = 0
  const turning = setInterval(() => {
    turns += 1
  }, 0)
  await Promise.all(frames.flatMap((frame) => ways.map(({ open }) => open(frame))))
  clearInterval(turning)
  expect(turns).toBeGreaterThan(0)
})
