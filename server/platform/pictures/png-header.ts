import { ByteReader } from './byte-reader.ts'
import { checkSize, METADATA_BYTES, type PictureHeader, type PictureLimits, PictureRefusal } from './picture-refusal.ts'

/** A file of 5 MB in parts of 8 KB has 640. */
const CHUNKS_LIMIT = 10_000
const SIGNATURE_BYTES = 8
/** Length, name and checksum of a chunk. */
const AROUND_BYTES = 12

/** What the pixels need. Texts, palettes to choose from and the other frames of an animation are left out. */
const NEEDED = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND']
/** Kept once, and only where they are small: they are compressed, or read by a decoder of their own. */
const METADATA = ['iCCP', 'eXIf']

/** Samples of a pixel by the colour type; other numbers mean nothing. */
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** Deflate cannot make more of a byte. */
const MOST_INFLATED = 1_032

/** The bytes that the pixels are before they are compressed, of all rows with the byte that names their filter. */
function rawBytes(read: ByteReader, at: number, width: number, height: number): number {
  const samples = SAMPLES[read.uint8(at + 9)]
  if (samples === undefined) throw new PictureRefusal()
  return height * (1 + Math.ceil((width * samples * read.uint8(at + 8)) / 8))
}

/**
 * Walks the chunks of a PNG once. The result has those that the pixels need, so that an animation is its first picture.
 * @throws PictureRefusal
 */
export function readPngHeader(bytes: Uint8Array, limits: PictureLimits): PictureHeader {
  const read = new ByteReader(bytes)
  if (!read.has('\x89PNG\r\n\x1a\n', 0)) throw new PictureRefusal()
  const header = SIGNATURE_BYTES + 8
  if (read.uint32(SIGNATURE_BYTES) !== 13 || read.name(SIGNATURE_BYTES + 4) !== 'IHDR') throw new PictureRefusal()
  const [width, height] = [read.uint32(header), read.uint32(header + 4)]
  checkSize(width, height, limits)
  const raw = rawBytes(read, header, width, height)
  const kept: Uint8Array[] = [bytes.subarray(0, SIGNATURE_BYTES)]
  const seen = new Set<string>()
  let pixelBytes = 0
  let chunks = 0
  for (let at = SIGNATURE_BYTES; at < bytes.length; ) {
    chunks += 1
    if (chunks > CHUNKS_LIMIT) throw new PictureRefusal(`A PNG has at most ${CHUNKS_LIMIT} chunks`)
    const length = read.uint32(at)
    const name = read.name(at + 4)
    read.need(at, length + AROUND_BYTES)
    const chunk = bytes.subarray(at, at + length + AROUND_BYTES)
    at += chunk.length
    if (name === 'IHDR' && chunks > 1) throw new PictureRefusal()
    if (name === 'IDAT') pixelBytes += length
    const isSmallMetadata = METADATA.includes(name) && length <= METADATA_BYTES && !seen.has(name)
    if (isSmallMetadata) seen.add(name)
    if (isSmallMetadata || NEEDED.includes(name)) kept.push(chunk)
    if (name === 'IEND') break
  }
  if (pixelBytes * MOST_INFLATED < raw) throw new PictureRefusal()
  return { width, height, bytes: Buffer.concat(kept) }
}
