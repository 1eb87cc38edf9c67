import { checkSize, METADATA_BYTES, type PictureHeader, type PictureLimits, PictureRefusal } from './picture-refusal.ts'
import { hasText } from './picture-type.ts'

/** Each scan costs the decoder a pass over the whole picture. A progressive JPEG of a camera has about ten scans. */
const SCANS_LIMIT = 100
/** Camera files have 10 to 100 segments, most of them metadata. */
const SEGMENTS_LIMIT = 1_000

const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
/** Huffman tables, quantization tables and the restart interval. */
const TABLES = [0xc4, 0xdb, 0xdd]
/** Baseline, extended sequential and progressive, each with Huffman coding. */
const FRAMES = [0xc0, 0xc1, 0xc2]
/** The application segments that decoders read: JFIF, EXIF, the colour profile and Adobe's colour transform. */
const APPLICATIONS = [
  { marker: 0xe0, name: 'JFIF\0' },
  { marker: 0xe1, name: 'Exif\0\0' },
  { marker: 0xee, name: 'Adobe' },
]
const PROFILE = { marker: 0xe2, name: 'ICC_PROFILE\0' }

function isTextOrApplication(marker: number): boolean {
  return (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe
}

/** True for codings that no browser and no camera writes: other ones, differential, lossless and hierarchical frames. */
function isForeignCoding(marker: number): boolean {
  return (marker >= 0xc3 && marker <= 0xcf) || [0xdc, 0xde, 0xdf].includes(marker)
}

/**
 * Returns the end of the entropy-coded data that begins at `start`: the next marker that is no restart, or the end of
 * the file. Reads byte by byte: to search for each next 0xff costs far more if every second byte is 0xff.
 */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length - 1; at += 1) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    const isRestart = next >= 0xd0 && next <= 0xd7
    if (next !== 0 && next !== 0xff && !isRestart) return at
  }
  return bytes.length
}

function checkFrame(bytes: Buffer, at: number, length: number, limits: PictureLimits) {
  const [precision, height, width, components] = [
    bytes.readUInt8(at),
    bytes.readUInt16BE(at + 1),
    bytes.readUInt16BE(at + 3),
    bytes.readUInt8(at + 5),
  ]
  if (precision !== 8) throw new PictureRefusal('A JPEG has 8 bits a colour')
  if (![1, 3, 4].includes(components) || length !== 6 + 3 * components) throw new PictureRefusal()
  checkSize(width, height, limits)
  return { width, height }
}

/**
 * Walks the segments of a JPEG once, in time linear in its size. The result has the tables, the scans and the metadata that
 * decoders need: no comments, no other application segments, nothing after the end marker. A missing end marker is not
 * added.
 * @throws PictureRefusal
 */
export function readJpegHeader(bytes: Buffer, limits: PictureLimits): PictureHeader {
  if (bytes.readUInt16BE(0) !== 0xffd8) throw new PictureRefusal()
  const kept: Uint8Array[] = [bytes.subarray(0, 2)]
  const profile: Uint8Array[] = []
  const seen = new Set<number>()
  let size: { width: number; height: number } | null = null
  let scans = 0
  let segments = 0
  let at = 2
  while (at < bytes.length) {
    const start = at
    if (bytes.readUInt8(at) !== 0xff) throw new PictureRefusal()
    // Any number of 0xff may stand before a marker.
    while (bytes[at] === 0xff) at += 1
    const marker = bytes.readUInt8(at)
    at += 1
    if (marker === END_OF_IMAGE) {
      kept.push(bytes.subarray(start, at))
      break
    }
    segments += 1
    if (segments > SEGMENTS_LIMIT) throw new PictureRefusal(`A JPEG has at most ${SEGMENTS_LIMIT} segments`)
    if (isForeignCoding(marker) && !TABLES.includes(marker))
      throw new PictureRefusal('A JPEG is baseline or progressive, with Huffman coding')
    const payload = at + 2
    const end = at + bytes.readUInt16BE(at)
    if (end < payload) throw new PictureRefusal()
    if (end > bytes.length) throw new PictureRefusal()
    at = end
    if (FRAMES.includes(marker)) {
      if (size) throw new PictureRefusal('A JPEG has one frame')
      size = checkFrame(bytes, payload, end - payload, limits)
    } else if (marker === START_OF_SCAN) {
      scans += 1
      if (scans > SCANS_LIMIT) throw new PictureRefusal(`A JPEG has at most ${SCANS_LIMIT} scans`)
      if (!size) throw new PictureRefusal()
      at = endOfScan(bytes, end)
    } else if (isTextOrApplication(marker)) {
      const segment = bytes.subarray(start, end)
      const needed = APPLICATIONS.some((known) => known.marker === marker && hasText(bytes, known.name, payload))
      if (needed && !seen.has(marker)) kept.push(segment)
      else if (marker === PROFILE.marker && hasText(bytes, PROFILE.name, payload)) profile.push(segment)
      if (needed) seen.add(marker)
      continue
    } else if (!TABLES.includes(marker)) throw new PictureRefusal()
    kept.push(bytes.subarray(start, at))
  }
  if (!size || scans === 0) throw new PictureRefusal()
  const profileBytes = profile.reduce((sum, part) => sum + part.length, 0)
  if (profileBytes <= METADATA_BYTES) kept.splice(1, 0, ...profile)
  return { ...size, bytes: Buffer.concat(kept) }
}
