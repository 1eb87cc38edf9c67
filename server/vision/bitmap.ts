/** The two Windows formats that the image library does not read. Both throw on what they do not understand. */

type Pixels = { data: Uint8Array; width: number; height: number; channels: 3 | 4 }

const FILE_HEADER_BYTES = 14
const NOT_COMPRESSED = 0
const BIT_FIELDS = 3

/** Blue, green, red (and alpha) to red, green, blue, as the image library wants them. */
function swapRedAndBlue(data: Uint8Array, channels: number): void {
  for (let at = 0; at + 2 < data.length; at += channels) {
    const blue = data[at] ?? 0
    data[at] = data[at + 2] ?? 0
    data[at + 2] = blue
  }
}

/** The pixels of a BMP with 24 or 32 bits a pixel and at most `limit` pixels. */
export function readBitmap(bytes: Uint8Array, limit: number): Pixels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = view.getUint32(10, true)
  const width = view.getInt32(FILE_HEADER_BYTES + 4, true)
  const signedHeight = view.getInt32(FILE_HEADER_BYTES + 8, true)
  const bits = view.getUint16(FILE_HEADER_BYTES + 14, true)
  const compression = view.getUint32(FILE_HEADER_BYTES + 16, true)
  const height = Math.abs(signedHeight)
  if (bits !== 24 && bits !== 32) throw new Error('unknown depth')
  if (compression !== NOT_COMPRESSED && compression !== BIT_FIELDS) throw new Error('compressed')
  if (width < 1 || height < 1 || width * height > limit) throw new Error('too many pixels')
  const channels = bits === 24 ? 3 : 4
  // Rows are padded to four bytes, and stand bottom up unless the height is negative.
  const stride = Math.ceil((width * channels) / 4) * 4
  if (start + stride * height > bytes.length) throw new Error('cut off')
  const data = new Uint8Array(width * height * channels)
  for (let row = 0; row < height; row++) {
    const from = start + stride * (signedHeight > 0 ? height - 1 - row : row)
    data.set(bytes.subarray(from, from + width * channels), row * width * channels)
  }
  swapRedAndBlue(data, channels)
  return { data, width, height, channels }
}

/** The PNG inside an icon file, the longest where there are several. */
export function readIcon(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = Array.from({ length: view.getUint16(4, true) }, (_entry, index) => {
    const at = 6 + 16 * index
    const offset = view.getUint32(at + 12, true)
    return bytes.subarray(offset, offset + view.getUint32(at + 8, true))
  })
  const pictures = entries.filter((entry) => entry[0] === 0x89 && entry[1] === 0x50)
  const [longest] = pictures.sort((a, b) => b.length - a.length)
  if (!longest) throw new Error('no PNG inside')
  return longest
}
