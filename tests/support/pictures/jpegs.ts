import sharp from 'sharp'

/** JPEGs of the kinds that untrusted clients upload. */

const SECRET = 'Unter den Linden 77'

type Size = { width: number; height: number }

/** A JPEG of noise, which compresses as badly as a camera picture. */
export async function jpegOf({ width, height }: Size, quality = 80): Promise<Buffer> {
  return sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .jpeg({ quality })
    .toBuffer()
}

/** A JPEG of exactly `length` bytes, padded after the picture's end. */
export async function jpegOfBytes(length: number): Promise<Buffer> {
  const picture = await jpegOf({ width: 640, height: 480 })
  return Buffer.concat([picture, Buffer.alloc(length - picture.length)])
}

/** A file like a camera's, rotated, with a location, a colour profile, XMP, a comment and bytes after the end. */
export async function tellingJpeg({ width, height }: Size): Promise<Buffer> {
  const picture = await sharp(await jpegOf({ width, height }))
    .withExif({ IFD0: { Artist: SECRET }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } })
    .withIccProfile('p3')
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`)
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const comment = Buffer.from(SECRET)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(comment.length + 2)
  const start = picture.subarray(0, 2)
  return Buffer.concat([start, Buffer.of(0xff, 0xfe), length, comment, picture.subarray(2), comment])
}

/** True if `bytes` contain the private text of `tellingJpeg`. */
export function tells(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).includes(SECRET)
}

/** A small file whose header claims this size. */
export async function pretendingJpeg({ width, height }: Size): Promise<Buffer> {
  const picture = await jpegOf({ width: 64, height: 48 })
  const header = picture.indexOf(Buffer.of(0xff, 0xc0))
  picture.writeUInt16BE(height, header + 5)
  picture.writeUInt16BE(width, header + 7)
  return picture
}

export async function pictureOfType(type: 'png' | 'gif' | 'webp'): Promise<Buffer> {
  return sharp(await jpegOf({ width: 64, height: 48 }))
    .toFormat(type)
    .toBuffer()
}
