import { checkSize, METADATA_BYTES, type PictureHeader, type PictureLimits, PictureRefusal } from './picture-refusal.ts'
import { hasText } from './picture-type.ts'

/** Chunks that are read; a still picture has fewer. Nothing after the first frame of an animation is read. */
const CHUNKS_LIMIT = 100
const RIFF_BYTES = 12
const CHUNK_HEAD_BYTES = 8
const FRAME_HEAD_BYTES = 16

const ANIMATED = 0x02
const WITH_XMP = 0x04
const WITH_EXIF = 0x08
const WITH_PROFILE = 0x20
const METADATA: Record<string, number> = { ICCP: WITH_PROFILE, EXIF: WITH_EXIF }
const PIXELS = ['VP8 ', 'VP8L']

type Size = { width: number; height: number }

function lossySize(bytes: Buffer, at: number): Size {
  if (!hasText(bytes, '\x9d\x01\x2a', at + 3)) throw new PictureRefusal()
  return { width: bytes.readUInt16LE(at + 6) & 0x3fff, height: bytes.readUInt16LE(at + 8) & 0x3fff }
}

function losslessSize(bytes: Buffer, at: number): Size {
  if (bytes.readUInt8(at) !== 0x2f) throw new PictureRefusal()
  const bits = bytes.readUInt32LE(at + 1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** Reads the size of a canvas or of an animation's frame: two numbers of 24 bits, width - 1 and height - 1. */
function canvasSize(bytes: Buffer, at: number): Size {
  return { width: bytes.readUIntLE(at, 3) + 1, height: bytes.readUIntLE(at + 3, 3) + 1 }
}

/** The size that a chunk announces; null for a chunk without a size. */
function sizeIn(bytes: Buffer, name: string, at: number): Size | null {
  if (name === 'VP8 ') return lossySize(bytes, at)
  if (name === 'VP8L') return losslessSize(bytes, at)
  if (name === 'VP8X') return canvasSize(bytes, at + 4)
  return name === 'ANMF' ? canvasSize(bytes, at + 6) : null
}

function riffHeader(length: number): Buffer {
  const head = Buffer.from('RIFF    WEBP')
  head.writeUInt32LE(length + 4, 4)
  return head
}

/** Checks the sizes in the parts of an animation's frame, which may be larger than the size of the frame. */
function checkFrameParts(bytes: Buffer, from: number, to: number, limits: PictureLimits): void {
  let chunks = 0
  for (let at = from; at < to; ) {
    chunks += 1
    if (chunks > CHUNKS_LIMIT) throw new PictureRefusal(`A WebP has at most ${CHUNKS_LIMIT} chunks`)
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const size = PIXELS.includes(name) ? sizeIn(bytes, name, at + CHUNK_HEAD_BYTES) : null
    if (size) checkSize(size.width, size.height, limits)
    at += CHUNK_HEAD_BYTES + length + (length % 2)
  }
}

/**
 * Walks the chunks of a WebP up to the end of its first picture. The result has this picture, its transparency and
 * small metadata. @throws PictureRefusal
 */
export function readWebpHeader(bytes: Buffer, limits: PictureLimits): PictureHeader {
  if (!hasText(bytes, 'RIFF') || !hasText(bytes, 'WEBP', 8)) throw new PictureRefusal()
  const kept: Uint8Array[] = []
  const seen = new Set<string>()
  let extended: Buffer | null = null
  let shown: Size | null = null
  let pixels = false
  let chunks = 0
  for (let at = RIFF_BYTES; at + CHUNK_HEAD_BYTES <= bytes.length; ) {
    chunks += 1
    if (chunks > CHUNKS_LIMIT) throw new PictureRefusal(`A WebP has at most ${CHUNKS_LIMIT} chunks`)
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const payload = at + CHUNK_HEAD_BYTES
    if (payload + length > bytes.length) throw new PictureRefusal()
    const end = Math.min(payload + length + (length % 2), bytes.length)
    const size = sizeIn(bytes, name, payload)
    if (size) checkSize(size.width, size.height, limits)
    // The canvas, if the file has one, is the first size.
    shown ??= size
    const flag = METADATA[name]
    if (name === 'VP8X') {
      if (extended || kept.length > 0 || length < 10) throw new PictureRefusal()
      extended = Buffer.from(bytes.subarray(at, end))
      extended[CHUNK_HEAD_BYTES] = bytes.readUInt8(payload) & ~(WITH_XMP | WITH_EXIF | WITH_PROFILE)
      kept.push(extended)
    } else if (flag !== undefined && extended && length <= METADATA_BYTES && !seen.has(name)) {
      extended[CHUNK_HEAD_BYTES] = (extended[CHUNK_HEAD_BYTES] ?? 0) | flag
      kept.push(bytes.subarray(at, end))
      seen.add(name)
    } else if (name === 'ANIM' || name === 'ALPH') kept.push(bytes.subarray(at, end))
    else if ((name === 'ANMF' || PIXELS.includes(name)) && !pixels) {
      if (name === 'ANMF') checkFrameParts(bytes, payload + FRAME_HEAD_BYTES, payload + length, limits)
      kept.push(bytes.subarray(at, end))
      pixels = true
    }
    at = end
    const isAnimated = extended !== null && ((extended[CHUNK_HEAD_BYTES] ?? 0) & ANIMATED) !== 0
    if (pixels && isAnimated) break
  }
  if (!shown || !pixels) throw new PictureRefusal()
  const length = kept.reduce((sum, part) => sum + part.length, 0)
  return { ...shown, bytes: Buffer.concat([riffHeader(length), ...kept]) }
}
