import sharp, { type Sharp } from 'sharp'
import { HASH_SIDE, perceptualHash } from '../rules/perceptual-hash.ts'
import { readBitmap } from './bitmap.ts'
import { isPlainProfile } from './colour-profile.ts'
import { FRAME_LIMITS, PROFILE_PICTURE_LIMITS } from './decoder-messages.ts'

/** Conversions by the image library. They run only in the decoder's process and reject for a file that cannot be decoded. */

// One thread for each picture: more threads do not decode a picture faster.
sharp.concurrency(1)
sharp.cache(false)

/** Side of a stored profile picture in pixels. */
const PROFILE_SIDE = 512
/** Side of the picture that the peer of a match sees. */
const THUMBNAIL_SIDE = 128

type Decoded = { data: Uint8Array; width: number; height: number; print?: string | null }

/** Returns the picture turned upright, and its size after the turn. */
async function open(bytes: Uint8Array, limitInputPixels: number) {
  const { autoOrient, icc } = await sharp(bytes, { limitInputPixels }).metadata()
  const ignoreIcc = icc !== undefined && !isPlainProfile(icc)
  return { upright: sharp(bytes, { limitInputPixels, ignoreIcc }).autoOrient(), ...autoOrient }
}

/** Returns the perceptual hash of a picture. */
export async function printOfPicture(bytes: Uint8Array): Promise<string | null> {
  const square = sharp(bytes).resize(HASH_SIDE, HASH_SIDE, { fit: 'fill' }).greyscale()
  return perceptualHash(await square.raw().toBuffer())
}

/**
 * Encodes the frame anew, so that only the visible content is passed on: no location, no profile, no comment. Returns
 * the hash of the frame too.
 */
export async function cleanFrame(bytes: Uint8Array): Promise<Decoded> {
  const { upright } = await open(bytes, FRAME_LIMITS.pixels)
  const { data, info } = await upright.jpeg().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, print: await printOfPicture(data) }
}

/**
 * Returns the frame as a square of pixels (red, green and blue, row by row), with the size of the original frame. The
 * frame is decoded once and no larger than the square needs, which costs a third of `cleanFrame`.
 */
export async function viewFrame(bytes: Uint8Array, side: number): Promise<Decoded> {
  const { upright, width, height } = await open(bytes, FRAME_LIMITS.pixels)
  const square = upright.resize(side, side, { fit: 'fill' }).toColourspace('srgb').removeAlpha()
  return { data: await square.raw().toBuffer(), width, height }
}

async function decoder(bytes: Uint8Array, isBitmap: boolean): Promise<Sharp> {
  if (!isBitmap) return (await open(bytes, PROFILE_PICTURE_LIMITS.pixels)).upright
  const { data, ...raw } = readBitmap(Buffer.from(bytes), PROFILE_PICTURE_LIMITS)
  return sharp(data, { limitInputPixels: PROFILE_PICTURE_LIMITS.pixels, raw })
}

/** Returns the picture as a small WebP, without the metadata of the file. */
export async function shrinkPicture(bytes: Uint8Array, isBitmap: boolean): Promise<Decoded> {
  const picture = await decoder(bytes, isBitmap)
  const small = picture.resize(PROFILE_SIDE, PROFILE_SIDE, { fit: 'cover', withoutEnlargement: true }).webp()
  const { data, info } = await small.toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Returns a stored profile picture in the size that the peer of a match sees. */
export async function thumbnailOf(bytes: Uint8Array): Promise<Decoded> {
  const { upright } = await open(bytes, PROFILE_PICTURE_LIMITS.pixels)
  const square = upright.resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'cover' }).webp()
  const { data, info } = await square.toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
