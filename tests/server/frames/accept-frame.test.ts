import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { acceptDecoded, acceptSampled, createFrameIntake, SAMPLE } from '../../../server/frames/frame-intake.ts'
import { DecoderPool } from '../../../server/platform/pictures/decoder-pool.ts'
import { slowJpeg } from '../../support/attacks/slow-pictures.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { jpegOf, pictureOfType, pretendingJpeg } from '../../support/pictures/jpegs.ts'

const SIDE = 72
const pool = new DecoderPool({ clock: movableClock(), log: pino({ level: 'silent' }) })
afterAll(() => pool.stop())
const intake = createFrameIntake(pool)

/** Accepts pictures with these random numbers in turn, and counts what is decoded. */
function sampling(...numbers: number[]) {
  let decoded = 0
  const viewFrame: typeof intake.viewFrame = (...args) => {
    decoded += 1
    return intake.viewFrame(...args)
  }
  const random = () => numbers.shift() ?? 1
  const accept = acceptSampled({ viewFrame }, { random, side: SIDE })
  return { accept: (bytes: Uint8Array) => accept(bytes, 'ada'), decoded: () => decoded }
}

/** A JPEG with an honest structure whose pixels cannot be decoded: its scan lacks most of its data, and its end is there. */
async function hollowJpeg(): Promise<Buffer> {
  const picture = await jpegOf({ width: 640, height: 480 })
  const whole = await jpegOf({ width: 1_280, height: 960 })
  const [from, to] = [picture, whole].map((jpeg) => jpeg.indexOf(Buffer.of(0xff, 0xc0)))
  if (from === undefined || to === undefined) throw new Error('there is no frame')
  // The data of a picture of a quarter of the pixels.
  whole.copy(picture, from + 5, to + 5, to + 9)
  return picture
}

test('of the pictures that nobody looks at one of fifty is decoded', async () => {
  const picture = await jpegOf({ width: 640, height: 360 })
  const count = 4 * SAMPLE
  const { accept, decoded } = sampling(...Array.from({ length: count }, (_, index) => index / count))
  for (let sent = 0; sent < count; sent += 1)
    expect(await accept(picture)).toMatchObject({ width: 640, height: 360, pixels: null })
  expect(decoded()).toBe(count / SAMPLE)
})

test('what the structure shows is refused without decoding, for every picture', async () => {
  const { accept, decoded } = sampling()
  const picture = await jpegOf({ width: 640, height: 360 })
  for (const percent of [1, 10, 50, 99]) {
    const part = picture.subarray(0, Math.floor((picture.length * percent) / 100))
    await expect(accept(part)).rejects.toMatchObject({ code: 'bad-request', message: 'This JPEG cannot be read' })
  }
  const huge = await pretendingJpeg({ width: 16_000, height: 16_000 })
  await expect(accept(huge)).rejects.toMatchObject({ message: 'A frame has at most 4000000 pixels' })
  const slow = slowJpeg({ width: 2_000, height: 2_000, scans: 101 })
  await expect(accept(slow)).rejects.toMatchObject({ message: 'A JPEG has at most 100 scans' })
  await expect(accept(await pictureOfType('png'))).rejects.toMatchObject({ code: 'wrong-type' })
  expect(decoded()).toBe(0)
})

test('a header that lies is refused in the sample, and where its file is too small for what it claims', async () => {
  const hollow = await hollowJpeg()
  await expect(sampling(0).accept(hollow)).rejects.toMatchObject({ code: 'bad-request' })
  const small = sampling()
  await expect(small.accept(await pretendingJpeg({ width: 1_600, height: 1_600 }))).rejects.toMatchObject({
    code: 'bad-request',
  })
  expect(small.decoded()).toBe(1)
})

test('a black picture is known as black, also outside of the sample', async () => {
  for (const chromaSubsampling of ['4:2:0', '4:4:4']) {
    const black = sharp({ create: { width: 640, height: 480, channels: 3, background: '#000' } })
    const { look } = await sampling().accept(await black.jpeg({ chromaSubsampling, quality: 80 }).toBuffer())
    expect(look.black).toBe(true)
  }
  expect((await sampling(0).accept(await jpegOf({ width: 640, height: 480 }))).look.black).toBe(false)
})

test('the same file has the same print, and another picture another', async () => {
  const [one, other] = [await jpegOf({ width: 640, height: 480 }), await jpegOf({ width: 640, height: 480 }, 81)]
  const { accept } = sampling(1, 0, 1)
  const [first, again, different] = [await accept(one), await accept(one), await accept(other)]
  expect(again.look).toEqual(first.look)
  expect(different.look.print).not.toBe(first.look.print)
})

test('with a classifier every picture is decoded, once', async () => {
  let decoded = 0
  const accept = acceptDecoded(
    {
      viewFrame: (...args) => {
        decoded += 1
        return intake.viewFrame(...args)
      },
    },
    SIDE,
  )
  const { pixels } = await accept(await jpegOf({ width: 640, height: 480 }), 'ada')
  expect([pixels?.length, decoded]).toEqual([SIDE * SIDE * 3, 1])
  await expect(accept(await hollowJpeg(), 'ada')).rejects.toMatchObject({ code: 'bad-request' })
})
