import { AppError } from '#protocol/errors.ts'
import { readBitmapHeader, readIcon } from './bitmap.ts'
import { readJpegHeader } from './jpeg-header.ts'
import { type PictureHeader, type PictureLimits, PictureRefusal } from './picture-refusal.ts'
import type { PictureType } from './picture-type.ts'
import { readPngHeader } from './png-header.ts'
import { readWebpHeader } from './webp-header.ts'

/**
 * The types whose headers are checked here. Of a GIF, the image library decodes only the first picture, after it has
 * checked the limit of pixels: the costliest GIF of 5 MB takes half a second.
 */
export type CheckedType = Exclude<PictureType, 'gif'>
type ReadHeader = (bytes: Buffer, limits: PictureLimits) => PictureHeader

const readers: Record<CheckedType, ReadHeader> = {
  jpeg: readJpegHeader,
  png: readPngHeader,
  webp: readWebpHeader,
  bmp: readBitmapHeader,
  ico: (bytes, limits) => readPngHeader(readIcon(bytes), limits),
}

/**
 * Checks the structure of a picture before anything is decoded, in time linear in its size.
 * @throws PictureRefusal, and nothing else, whatever the bytes are.
 */
export function readPictureHeader(
  type: CheckedType,
  { buffer, byteOffset, byteLength }: Uint8Array,
  limits: PictureLimits,
): PictureHeader {
  try {
    return readers[type](Buffer.from(buffer, byteOffset, byteLength), limits)
  } catch (error) {
    // A buffer throws RangeError when it reads past its end: the file is cut off.
    throw error instanceof RangeError ? new PictureRefusal() : error
  }
}

/**
 * Returns the size, and the file without the parts that the decoder does not need.
 * @throws AppError bad-request that names the form field and the limit, or says `unreadable`.
 */
export function checkedPicture(
  type: CheckedType,
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
