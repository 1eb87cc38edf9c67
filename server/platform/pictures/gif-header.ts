import { ByteReader } from './byte-reader.ts'
import { checkSize, type PictureHeader, type PictureLimits, PictureRefusal } from './picture-refusal.ts'

const HEADER_BYTES = 13
const EXTENSION = 0x21
const GRAPHIC_CONTROL = 0xf9
const IMAGE = 0x2c
const END = 0x3b

/** The bytes of the colour table that the flags announce. */
function colourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Where the blocks that begin at `at` end, each of which is its length and so many bytes, the last one empty. */
function endOfBlocks(read: ByteReader, at: number): number {
  let next = at
  for (let length = read.uint8(next); length > 0; length = read.uint8(next)) next += 1 + length
  return next + 1
}

/**
 * Walks a GIF up to the end of its first picture, which is all that the result has.
 * @throws PictureRefusal
 */
export function readGifHeader(bytes: Uint8Array, limits: PictureLimits): PictureHeader {
  const read = new ByteReader(bytes)
  if (!read.has('GIF87a', 0) && !read.has('GIF89a', 0)) throw new PictureRefusal()
  const screen = { width: read.uint16Little(6), height: read.uint16Little(8) }
  let at = HEADER_BYTES + colourTableBytes(read.uint8(10))
  read.need(0, at)
  const kept: Uint8Array[] = [bytes.subarray(0, at)]
  let control: Uint8Array | null = null
  while (read.uint8(at) === EXTENSION) {
    const end = endOfBlocks(read, at + 2)
    if (read.uint8(at + 1) === GRAPHIC_CONTROL) control = bytes.subarray(at, end)
    at = end
  }
  if (read.uint8(at) !== IMAGE) throw new PictureRefusal()
  const [left, top] = [read.uint16Little(at + 1), read.uint16Little(at + 3)]
  const [imageWidth, imageHeight] = [read.uint16Little(at + 5), read.uint16Little(at + 7)]
  checkSize(imageWidth, imageHeight, limits)
  // A picture that reaches beyond the screen widens it.
  const width = Math.max(screen.width, left + imageWidth)
  const height = Math.max(screen.height, top + imageHeight)
  checkSize(width, height, limits)
  const pixels = at + 10 + colourTableBytes(read.uint8(at + 9))
  const end = endOfBlocks(read, pixels + 1)
  read.need(0, end)
  if (control) kept.push(control)
  kept.push(bytes.subarray(at, end), Uint8Array.of(END))
  return { width, height, bytes: Buffer.concat(kept) }
}
