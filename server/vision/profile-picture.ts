import sharp, { type Sharp } from 'sharp'
import { AppError } from '#protocol/errors.ts'
import { readBitmap, readIcon } from './bitmap.ts'
import { pictureType } from './picture-type.ts'

const SIDE = 512
/** What may be decoded at most: 256 megapixels would keep a core busy for 17 s. */
const PICTURE_PIXELS = 24_000_000

function decoder(bytes: Uint8Array): Sharp {
  const limits = { limitInputPixels: PICTURE_PIXELS }
  switch (pictureType(bytes)) {
    case null:
      throw new AppError('wrong-type', 'A picture is JPEG, PNG, GIF, WebP, BMP or ICO', { field: 'ProfilePicture' })
    case 'bmp': {
      const { data, ...raw } = readBitmap(bytes, PICTURE_PIXELS)
      return sharp(data, { ...limits, raw })
    }
    case 'ico':
      return sharp(readIcon(bytes), limits)
    default:
      return sharp(bytes, limits)
  }
}

/**
 * The picture as a small WebP without anything that was hidden in the file.
 * Rejects with wrong-type, or bad-request where it cannot be decoded.
 */
export async function reencodePicture(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await decoder(bytes)
      .rotate()
      .resize(SIDE, SIDE, { fit: 'cover', withoutEnlargement: true })
      .webp()
      .toBuffer()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('bad-request', 'This picture cannot be read', { field: 'ProfilePicture' })
  }
}
