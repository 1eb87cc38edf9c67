import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../scripts/test-limits.ts'
import { isPlainProfile } from '../../../../server/platform/pictures/colour-profile.ts'
import { shrinkPicture } from '../../../../server/platform/pictures/decode-picture.ts'
import { type CheckedType, readPictureHeader } from '../../../../server/platform/pictures/picture-header.ts'
import { METADATA_BYTES, PictureRefusal } from '../../../../server/platform/pictures/picture-refusal.ts'
import { slowJpeg } from '../../../support/attacks/slow-pictures.ts'
import { jpegOf, tellingJpeg, tells } from '../../../support/pictures/jpegs.ts'
import { bmp, ico, pretendingPng } from '../../../support/pictures/pictures.ts'

const LIMITS = { name: 'A picture', pixels: 24_000_000 }
const read = (type: CheckedType, bytes: Uint8Array) => readPictureHeader(type, bytes, LIMITS)
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

const still = sharp(await jpegOf({ width: 60, height: 40 }))
/** Three frames, one below the other. */
const frames = await sharp(
  await sharp({ create: { width: 60, height: 120, channels: 3, background: '#fff' } })
    .composite([{ input: await jpegOf({ width: 60, height: 40 }), top: 40, left: 0 }])
    .raw()
    .toBuffer(),
  { raw: { width: 60, height: 120, channels: 3, pageHeight: 40 } },
)
const files: { what: string; type: CheckedType; bytes: Buffer; size: [number, number] }[] = [
  { what: 'JPEG', type: 'jpeg', bytes: await still.clone().jpeg().toBuffer(), size: [60, 40] },
  {
    what: 'progressive JPEG',
    type: 'jpeg',
    bytes: await still.clone().jpeg({ progressive: true }).toBuffer(),
    size: [60, 40],
  },
  {
    what: 'grey JPEG',
    type: 'jpeg',
    bytes: await still.clone().toColourspace('b-w').jpeg().toBuffer(),
    size: [60, 40],
  },
  {
    what: 'CMYK JPEG',
    type: 'jpeg',
    bytes: await still.clone().toColourspace('cmyk').jpeg().toBuffer(),
    size: [60, 40],
  },
  { what: 'JPEG with metadata', type: 'jpeg', bytes: await tellingJpeg({ width: 60, height: 40 }), size: [60, 40] },
  { what: 'PNG', type: 'png', bytes: await still.clone().png().toBuffer(), size: [60, 40] },
  {
    what: 'interlaced PNG with a palette',
    type: 'png',
    bytes: await still.clone().png({ progressive: true, palette: true }).toBuffer(),
    size: [60, 40],
  },
  { what: 'WebP', type: 'webp', bytes: await still.clone().webp().toBuffer(), size: [60, 40] },
  {
    what: 'lossless WebP',
    type: 'webp',
    bytes: await still.clone().webp({ lossless: true }).toBuffer(),
    size: [60, 40],
  },
  {
    what: 'WebP with metadata',
    type: 'webp',
    bytes: await still.clone().webp().withMetadata({ orientation: 6 }).withXmp('<x/>').toBuffer(),
    size: [60, 40],
  },
  {
    what: 'transparent WebP',
    type: 'webp',
    bytes: await still.clone().ensureAlpha(0.5).webp().toBuffer(),
    size: [60, 40],
  },
  { what: 'animated WebP', type: 'webp', bytes: await frames.clone().webp().toBuffer(), size: [60, 40] },
  { what: 'BMP', type: 'bmp', bytes: await bytesOf(bmp()), size: [2, 2] },
  { what: 'ICO', type: 'ico', bytes: await bytesOf(await ico()), size: [64, 48] },
]

test.each(files)(
  'the header of the $what has its size, and the stripped file shows the same picture',
  async ({ type, bytes, size }) => {
    const header = read(type, bytes)
    expect([header.width, header.height]).toEqual(size)
    if (type === 'bmp' || type === 'ico') return
    const [before, after] = await Promise.all(
      [bytes, header.bytes].map((one) => sharp(one).autoOrient().ensureAlpha().raw().toBuffer()),
    )
    expect(after?.equals(before ?? Buffer.alloc(0))).toBe(true)
    const { pages = 1, exif, icc, xmp } = await sharp(header.bytes).metadata()
    const metadata = await sharp(bytes).metadata()
    expect([pages, exif, icc, xmp]).toEqual([1, metadata.exif, metadata.icc, undefined])
  },
)

/** Returns null for a refusal. Throws every other error. */
function readOrRefuse(type: CheckedType, bytes: Uint8Array) {
  try {
    return read(type, bytes)
  } catch (error) {
    if (error instanceof PictureRefusal) return null
    throw error
  }
}

/** Expects a header of a plausible size or a refusal, and no other error. */
function check(type: CheckedType, bytes: Uint8Array): void {
  const header = readOrRefuse(type, bytes)
  if (!header) return
  expect(header.width * header.height).toBeLessThanOrEqual(LIMITS.pixels)
  expect(header.bytes.length).toBeLessThanOrEqual(bytes.length + 12)
  // The stripped file has the same header, and is not refused; an icon becomes the PNG in it.
  const again = read(type === 'ico' ? 'png' : type, header.bytes)
  expect([again.width, again.height]).toEqual([header.width, header.height])
}

const types: CheckedType[] = ['jpeg', 'png', 'webp', 'bmp', 'ico']
const beginnings: Record<CheckedType, Buffer> = {
  jpeg: Buffer.of(0xff, 0xd8, 0xff),
  png: pretendingPng({ width: 9, height: 9 }).subarray(0, 33),
  webp: Buffer.from('RIFF\0\0\0\0WEBP'),
  bmp: Buffer.from('BM'),
  ico: Buffer.of(0, 0, 1, 0),
}

test('random bytes are a header or a refusal', () => {
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.boolean(), fc.uint8Array({ maxLength: 400 }), (type, begins, tail) => {
      check(type, begins ? Buffer.concat([beginnings[type], tail]) : tail)
    }),
    { numRuns: sized(3_000, 20_000) },
  )
})

test('real files with changed, cut, doubled and moved bytes are a header or a refusal', () => {
  const change = fc.record({
    at: fc.nat({ max: 99_999 }),
    kind: fc.constantFrom('set', 'cut', 'double', 'remove', 'insert'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...files),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      ({ type, bytes }, changes) => {
        let file: Buffer = Buffer.from(bytes)
        for (const { at, kind, bytes: given } of changes) {
          const place = at % (file.length + 1)
          const [head, tail] = [file.subarray(0, place), file.subarray(place)]
          if (kind === 'set') file = Buffer.concat([head, given, tail.subarray(given.length)])
          else if (kind === 'cut') file = Buffer.from(head)
          else if (kind === 'double') file = Buffer.concat([head, tail, tail])
          else if (kind === 'remove') file = Buffer.concat([head, tail.subarray(given.length)])
          else file = Buffer.concat([head, given, tail])
        }
        check(type, file)
      },
    ),
    { numRuns: sized(3_000, 20_000) },
  )
})

const LARGE = 5 * 1024 * 1024
const jpegStart = slowJpeg({ width: 64, height: 64, scans: 1 }).subarray(0, -2)
const chunk = (name: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(name), data])
  const around = Buffer.alloc(4)
  const check = Buffer.alloc(4)
  around.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([around, body, check])
}
/** A real PNG with chunks behind its header. */
const pngWith = async (...chunks: Buffer[]) => {
  const png = await still.clone().png().toBuffer()
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])
}
const repeated = (part: Buffer) => Buffer.concat(Array<Buffer>(Math.floor(LARGE / part.length)).fill(part))

test('files of 5 MB of markers, restarts, empty chunks or blocks are read in limited time', () => {
  for (const [type, bytes] of [
    ['jpeg', Buffer.concat([jpegStart, repeated(Buffer.of(0xff))])],
    ['jpeg', Buffer.concat([jpegStart, repeated(Buffer.of(0xff, 0xd0))])],
    ['jpeg', Buffer.concat([jpegStart, repeated(Buffer.of(0xff, 0))])],
    ['jpeg', Buffer.concat([Buffer.of(0xff, 0xd8), repeated(Buffer.of(0xff, 0xfe, 0, 2))])],
    ['png', Buffer.concat([beginnings.png, repeated(chunk('IDAT', Buffer.alloc(0)))])],
    ['webp', Buffer.concat([beginnings.webp, repeated(Buffer.from('junk\0\0\0\0'))])],
    ['ico', Buffer.concat([Buffer.of(0, 0, 1, 0, 0xff, 0xff), repeated(Buffer.of(0x89, 0x50, 0x4e, 0x47))])],
  ] as const)
    check(type, bytes)
})

describe('JPEG', () => {
  test('100 scans are accepted, 101 are refused', () => {
    expect(read('jpeg', slowJpeg({ width: 64, height: 64, scans: 100 }))).toMatchObject({ width: 64, height: 64 })
    expect(() => read('jpeg', slowJpeg({ width: 64, height: 64, scans: 101 }))).toThrow('A JPEG has at most 100 scans')
  })

  test.each([
    { what: 'arithmetic coding', marker: 0xca },
    { what: 'lossless coding', marker: 0xc3 },
    { what: 'a hierarchy of frames', marker: 0xde },
  ])('$what is refused', ({ marker }) => {
    const bytes = slowJpeg({ width: 64, height: 64, scans: 1 })
    bytes[bytes.indexOf(Buffer.of(0xff, 0xc2)) + 1] = marker
    expect(() => read('jpeg', bytes)).toThrow('A JPEG is baseline or progressive, with Huffman coding')
  })

  test('a second frame, twelve bits a colour and thousands of segments are refused', () => {
    const bytes = slowJpeg({ width: 64, height: 64, scans: 1 })
    const frame = bytes.indexOf(Buffer.of(0xff, 0xc2))
    const twice = Buffer.concat([bytes.subarray(0, frame + 19), bytes.subarray(frame)])
    expect(() => read('jpeg', twice)).toThrow('A JPEG has one frame')
    const comments = Array<Buffer>(1_001).fill(Buffer.of(0xff, 0xfe, 0, 2))
    const talkative = Buffer.concat([bytes.subarray(0, 2), ...comments, bytes.subarray(2)])
    expect(() => read('jpeg', talkative)).toThrow('A JPEG has at most 1000 segments')
    bytes[frame + 4] = 12
    expect(() => read('jpeg', bytes)).toThrow('A JPEG has 8 bits a colour')
  })

  test('comments, XMP, bytes after the end and a huge colour profile are removed', async () => {
    const bytes = await tellingJpeg({ width: 60, height: 40 })
    const profile = Buffer.concat([
      Buffer.of(0xff, 0xe2, 0xff, 0xff),
      Buffer.from('ICC_PROFILE\0'),
      Buffer.alloc(65_521),
    ])
    const { bytes: left } = read('jpeg', Buffer.concat([bytes.subarray(0, 2), profile, profile, bytes.subarray(2)]))
    // Only the artist in EXIF is left of the private text. The decoder removes it.
    expect(tells(left.subarray(Buffer.from(left).indexOf(Buffer.of(0xff, 0xda))))).toBe(false)
    expect(left.length).toBeLessThan(bytes.length)
    expect((await sharp(left).metadata()).icc).toBeUndefined()
  })
})

describe('PNG', () => {
  test('texts, animations and large metadata are removed, whatever their decompressed size', async () => {
    const bomb = deflateSync(Buffer.alloc(100 * 1024 * 1024))
    const text = Buffer.concat([Buffer.from('Comment\0\0'), bomb])
    const bytes = await pngWith(
      chunk('acTL', Buffer.of(0, 0, 0, 9, 0, 0, 0, 0)),
      chunk('zTXt', text),
      chunk('iTXt', text),
      chunk('sPLT', text),
      chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), bomb])),
      chunk('eXIf', Buffer.alloc(METADATA_BYTES + 1)),
    )
    const { bytes: left } = read('png', bytes)
    for (const name of ['acTL', 'zTXt', 'iTXt', 'sPLT', 'iCCP', 'eXIf'])
      expect(Buffer.from(left).includes(name)).toBe(false)
    expect(await sharp(left).metadata()).toMatchObject({ width: 60, height: 40 })
  })

  test('thousands of chunks, and pixels that the file cannot hold, are refused', async () => {
    const many = await pngWith(...Array<Buffer>(10_000).fill(chunk('IDAT', Buffer.alloc(0))))
    expect(() => read('png', many)).toThrow('A PNG has at most 10000 chunks')
    expect(() => read('png', pretendingPng({ width: 4_000, height: 4_000 }))).toThrow(PictureRefusal)
    expect(() => read('png', pretendingPng({ width: 5_000, height: 5_000 }))).toThrow(
      'A picture has at most 24000000 pixels',
    )
  })
})

test('sizes above the limit are refused wherever a file announces them', async () => {
  const tooLarge = 'A picture has at most 24000000 pixels'
  const webp = Buffer.from(files.find(({ what }) => what === 'animated WebP')?.bytes ?? [])
  webp.writeUIntLE(0xff_ff, webp.indexOf('VP8X') + 12, 3)
  webp.writeUIntLE(0xff_ff, webp.indexOf('VP8X') + 15, 3)
  expect(() => read('webp', webp)).toThrow(tooLarge)
  const bitmap = await bytesOf(bmp())
  bitmap.writeInt32LE(5_000, 18)
  bitmap.writeInt32LE(-5_000, 22)
  expect(() => read('bmp', bitmap)).toThrow(tooLarge)
})

const { icc = Buffer.alloc(0) } = await sharp(await tellingJpeg({ width: 60, height: 40 })).metadata()

describe('GIF', () => {
  /** The beginning of a GIF with a palette of two colours. */
  const start = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  /** A picture of this size whose pixels end after the first. */
  const picture = (left: number, top: number, width: number, height: number) =>
    Buffer.concat([Buffer.of(0x2c), Buffer.from(Uint16Array.of(left, top, width, height).buffer), pixels])
  const pixels = Buffer.of(0, 2, 2, 0x44, 1, 0)
  const end = Buffer.of(0x3b)
  const shrink = (...parts: Buffer[]) => shrinkPicture(Buffer.concat([start, ...parts, end]), false)

  test('the library decodes the first picture of an animation, and no more than the limit', async () => {
    const gif = await frames.clone().gif().toBuffer()
    expect(await shrinkPicture(gif, false)).toMatchObject({ width: 60, height: 40 })
    expect(await shrink(picture(0, 0, 1, 1), picture(0, 0, 60_000, 60_000))).toMatchObject({ width: 1, height: 1 })
    for (const [left, top, width, height] of [
      [0, 0, 60_000, 60_000],
      [60_000, 60_000, 1, 1],
      [60_000, 0, 1, 60_000],
    ] as const)
      await expect(shrink(picture(left, top, width, height))).rejects.toThrow('exceeds pixel limit')
    await expect(shrinkPicture(gif.subarray(0, 60), false)).rejects.toThrow()
  })

  test('of 5 MB of blocks and of pictures the library decodes the first picture alone', async () => {
    const tiny = { width: 1, height: 1 }
    expect(await shrink(repeated(Buffer.of(0x21, 0xfe, 1, 0, 0)), picture(0, 0, 1, 1))).toMatchObject(tiny)
    expect(await shrink(repeated(picture(0, 0, 1, 1)))).toMatchObject(tiny)
    expect(await shrink(picture(0, 0, 1, 1), repeated(picture(0, 0, 4_800, 4_800)))).toMatchObject(tiny)
  })
})

describe('a colour profile', () => {
  test('of a screen is applied, one with tables is not', () => {
    expect(isPlainProfile(icc)).toBe(true)
    const table = Buffer.from(icc)
    table.write('A2B0', 128 + 4, 'latin1')
    expect(isPlainProfile(table)).toBe(false)
    const lab = Buffer.from(icc)
    lab.write('Lab ', 20, 'latin1')
    expect(isPlainProfile(lab)).toBe(false)
    expect(isPlainProfile(Buffer.concat([icc, Buffer.alloc(METADATA_BYTES)]))).toBe(false)
  })

  test('of any bytes is plain or not', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: icc.length }),
        fc.uint8Array({ maxLength: 8 }),
        fc.nat({ max: icc.length }),
        (at, given, length) => {
          const changed = Buffer.concat([icc.subarray(0, at), given, icc.subarray(at + given.length)]).subarray(
            0,
            length,
          )
          expect(typeof isPlainProfile(changed)).toBe('boolean')
        },
      ),
    )
  })
})
