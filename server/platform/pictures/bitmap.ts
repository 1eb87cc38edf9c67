import { checkSize, type PictureHeader, type PictureLimits, PictureRefusal } from './picture-refusal.ts'

/** Readers of BMP and ICO, which the image library does not read. */

type Layout = { width: number; height: number; bottomUp: boolean; start: number; stride: number; channels: 3 | 4 }
type Pixels = { data: Uint8Array; width: number; height: number; channels: 3 | 4 }

const FILE_HEADER_BYTES = 14
const NOT_COMPRESSED = 0
const BIT_FIELDS = 3
/** Pictures in an icon file; the files of browsers and systems have about ten. */
const ICONS_LIMIT = 100

/** Changes the order blue, green, red (and alpha) of a BMP into red, green, blue, which the image library needs. */
function swapRedAndBlue(data: Uint8Array, channels: number): void {
  for (let at = 0; at + 2 < data.length; at += channels) {
    const blue = data[at] ?? 0
    data[at] = data[at + 2] ?? 0
    data[at + 2] = blue
  }
}

/** Throws PictureRefusal unless the BMP has 24 or 32 bits a pixel and is not compressed. */
function layoutOf(bytes: Buffer, limits: PictureLimits): Layout {
  const start = bytes.readUInt32LE(10)
  const width = bytes.readInt32LE(FILE_HEADER_BYTES + 4)
  const signedHeight = bytes.readInt32LE(FILE_HEADER_BYTES + 8)
  const bits = bytes.readUInt16LE(FILE_HEADER_BYTES + 14)
  const compression = bytes.readUInt32LE(FILE_HEADER_BYTES + 16)
  if (bits !== 24 && bits !== 32) throw new PictureRefusal()
  if (compression !== NOT_COMPRESSED && compression !== BIT_FIELDS) throw new PictureRefusal()
  const height = Math.abs(signedHeight)
  checkSize(width, height, limits)
  const channels = bits === 24 ? 3 : 4
  // Rows are padded to four bytes; the bottom row comes first unless the height is negative.
  const stride = Math.ceil((width * channels) / 4) * 4
  if (start + stride * height > bytes.length) throw new PictureRefusal()
  return { width, height, bottomUp: signedHeight > 0, start, stride, channels }
}

/** @throws PictureRefusal unless the BMP is whole and `readBitmap` can read it. */
export function readBitmapHeader(bytes: Buffer, limits: PictureLimits): PictureHeader {
  const { width, height } = layoutOf(bytes, limits)
  return { width, height, bytes }
}

/** @throws PictureRefusal */
export function readBitmap(bytes: Buffer, limits: PictureLimits): Pixels {
  const { width, height, bottomUp, start, stride, channels } = layoutOf(bytes, limits)
  const data = new Uint8Array(width * height * channels)
  for (let row = 0; row < height; row++) {
    const from = start + stride * (bottomUp ? height - 1 - row : row)
    data.set(bytes.subarray(from, from + width * channels), row * width * channels)
  }
  swapRedAndBlue(data, channels)
  return { data, width, height, channels }
}

/**
 * Returns the PNG inside an icon file; the longest of several.
 * @throws PictureRefusal
 */
export function readIcon(bytes: Buffer): Buffer {
  const count = bytes.readUInt16LE(4)
  if (count > ICONS_LIMIT) throw new PictureRefusal(`An icon has at most ${ICONS_LIMIT} pictures`)
  const entries = Array.from({ length: count }, (_entry, index) => {
    const at = 6 + 16 * index
    const offset = bytes.readUInt32LE(at + 12)
    return bytes.subarray(offset, offset + bytes.readUInt32LE(at + 8))
  })
  const pictures = entries.filter((entry) => entry[0] === 0x89 && entry[1] === 0x50)
  const [longest] = pictures.sort((a, b) => b.length - a.length)
  if (!longest) throw new PictureRefusal()
  return longest
}
