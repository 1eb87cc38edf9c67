import sharp from 'sharp'

/** JPEGs of the kinds that are sent to a server that takes pictures from anybody. */

const SECRET = 'Unter den Linden 77'

type Size = { width: number; height: number }

/** What a camera sees: noise, so that it has some bytes. */
export async function jpegOf({ width, height }: Size, quality = 80): Promise<Buffer> {
  return sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .jpeg({ quality })
    .toBuffer()
}

/** Of exactly so many bytes: what is missing stands behind the picture's end. */
export async function jpegOfBytes(length: number): Promise<Buffer> {
  const picture = await jpegOf({ width: 640, height: 480 })
  return Buffer.concat([picture, Buffer.alloc(length - picture.length)])
}

/** A camera's file: where it was taken, a colour profile, XMP, a comment, something behind the end; lying on its side. */
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

/** True where `bytes` hold the text that `tellingJpeg` hides. */
export function tells(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).includes(SECRET)
}

/** A small file whose header says that it is of this size. */
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
