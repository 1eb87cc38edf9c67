import { checkSize, METADATA_BYTES, type PictureHeader, type PictureLimits, PictureRefusal } from './picture-refusal.ts'
import { hasText } from './picture-type.ts'

/** Chunks of a file; a file of 5 MB in chunks of 8 KB has 640. */
const CHUNKS_LIMIT = 10_000
const SIGNATURE_BYTES = 8
/** Bytes of the length, the name and the checksum of a chunk. */
const AROUND_BYTES = 12

/** Chunks that the pixels need. Texts, suggested palettes and the later frames of an animation are left out. */
const NEEDED = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND']
/** Chunks that are kept once and only if small: their content is compressed, or read by a further decoder. */
const METADATA = ['iCCP', 'eXIf']

/** By colour type: the samples of a pixel. PNG has no other colour types. */
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** Most bytes that one byte of deflate data expands to. */
const MOST_INFLATED = 1_032

/** Returns the bytes of the pixels before compression. Each row has one more byte, for the filter. */
function rawBytes(bytes: Buffer, at: number, width: number, height: number): number {
  const samples = SAMPLES[bytes.readUInt8(at + 9)]
  if (samples === undefined) throw new PictureRefusal()
  return height * (1 + Math.ceil((width * samples * bytes.readUInt8(at + 8)) / 8))
}

/**
 * Walks the chunks of a PNG once. The result has the chunks that the pixels need; of an animation, the first picture.
 * @throws PictureRefusal
 */
export function readPngHeader(bytes: Buffer, limits: PictureLimits): PictureHeader {
  if (!hasText(bytes, '\x89PNG\r\n\x1a\n')) throw new PictureRefusal()
  const header = SIGNATURE_BYTES + 8
  if (bytes.readUInt32BE(SIGNATURE_BYTES) !== 13 || !hasText(bytes, 'IHDR', SIGNATURE_BYTES + 4))
    throw new PictureRefusal()
  const [width, height] = [bytes.readUInt32BE(header), bytes.readUInt32BE(header + 4)]
  checkSize(width, height, limits)
  const raw = rawBytes(bytes, header, width, height)
  const kept: Uint8Array[] = [bytes.subarray(0, SIGNATURE_BYTES)]
  const seen = new Set<string>()
  let pixelBytes = 0
  let chunks = 0
  for (let at = SIGNATURE_BYTES; at < bytes.length; ) {
    chunks += 1
    if (chunks > CHUNKS_LIMIT) throw new PictureRefusal(`A PNG has at most ${CHUNKS_LIMIT} chunks`)
    const length = bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (at + length + AROUND_BYTES > bytes.length) throw new PictureRefusal()
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
