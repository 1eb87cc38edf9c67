import sharp, { type Sharp } from 'sharp'
import { AppError } from '#protocol/errors.ts'
import { readBitmap, readIcon } from './bitmap.ts'
import { pictureType } from './picture-type.ts'

const SIDE = 512
/** What may be decoded at most: 256 megapixels would keep a core busy for 17 s. */
const PICTURE_PIXELS = 24_000_000

/** Within this a picture of the largest size is read, however it was made. */
const TIME_LIMIT_SECONDS = 5

/** Judged by the header alone, before anything is decoded. */
async function checked(bytes: Uint8Array): Promise<Sharp> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (width * height > PICTURE_PIXELS)
    throw new AppError('bad-request', `A picture has at most ${PICTURE_PIXELS} pixels`, { field: 'ProfilePicture' })
  return sharp(bytes, { limitInputPixels: PICTURE_PIXELS })
}

async function decoder(bytes: Uint8Array): Promise<Sharp> {
  switch (pictureType(bytes)) {
    case null:
      throw new AppError('wrong-type', 'A picture is JPEG, PNG, GIF, WebP, BMP or ICO', { field: 'ProfilePicture' })
    case 'bmp': {
      const { data, ...raw } = readBitmap(bytes, PICTURE_PIXELS)
      return sharp(data, { limitInputPixels: PICTURE_PIXELS, raw })
    }
    case 'ico':
      return checked(readIcon(bytes))
    default:
      return checked(bytes)
  }
}

/**
 * The picture as a small WebP without anything that was hidden in the file.
 * Rejects with wrong-type, or bad-request where it cannot be decoded.
 */
export async function reencodePicture(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    const picture = await decoder(bytes)
    return await picture
      .timeout({ seconds: TIME_LIMIT_SECONDS })
      .rotate()
      .resize(SIDE, SIDE, { fit: 'cover', withoutEnlargement: true })
      .webp()
      .toBuffer()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('bad-request', 'This picture cannot be read', { field: 'ProfilePicture' })
  }
}
