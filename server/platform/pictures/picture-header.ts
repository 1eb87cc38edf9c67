import { AppError } from '#protocol/errors.ts'
import { readBitmapHeader, readIcon } from './bitmap.ts'
import { readGifHeader } from './gif-header.ts'
import { readJpegHeader } from './jpeg-header.ts'
import { type PictureHeader, type PictureLimits, PictureRefusal } from './picture-refusal.ts'
import type { PictureType } from './picture-type.ts'
import { readPngHeader } from './png-header.ts'
import { readWebpHeader } from './webp-header.ts'

type ReadHeader = (bytes: Uint8Array, limits: PictureLimits) => PictureHeader

const readers: Record<PictureType, ReadHeader> = {
  jpeg: readJpegHeader,
  png: readPngHeader,
  gif: readGifHeader,
  webp: readWebpHeader,
  bmp: readBitmapHeader,
  ico: (bytes, limits) => readPngHeader(readIcon(bytes), limits),
}

/**
 * Checks a picture by its structure alone, before anything is decoded, in time linear in its size.
 * @throws PictureRefusal, and nothing else, whatever the bytes are.
 */
export function readPictureHeader(type: PictureType, bytes: Uint8Array, limits: PictureLimits): PictureHeader {
  return readers[type](bytes, limits)
}

/**
 * Returns the size, and the file without the parts that the decoder does not need.
 * @throws AppError bad-request that names the form field and the limit, or says `unreadable`.
 */
export function checkedPicture(
  type: PictureType,
  bytes: Uint8Array,
  limits: PictureLimits,
  { field, unreadable }: { field: string; unreadable: string },
): PictureHeader {
  try {
    return readPictureHeader(type, bytes, limits)
  } catch (error) {
    if (!(error instanceof PictureRefusal)) throw error
    throw new AppError('bad-request', error.limit ?? unreadable, { field })
  }
}
