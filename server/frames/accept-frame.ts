import { createHash } from 'node:crypto'
import { checkedFrame, type FrameIntake, unreadableFrame } from './frame-intake.ts'
import { printOf } from './rules/picture-print.ts'
import type { AcceptedFrame } from './rules/ports.ts'

/** Without a classifier, one of this many pictures is decoded. */
export const SAMPLE = 50
/**
 * A picture with more pixels than this for each byte, besides its tables, may be black and is always decoded. A black
 * picture has at least 36 pixels for each byte.
 */
const PIXELS_A_BYTE = 24
const TABLES_BYTES = 2_048

type AcceptFrame = (upload: Uint8Array, accountId: string) => Promise<AcceptedFrame>

/** With a classifier: decodes every picture once, to `side` pixels a side. */
export function acceptDecoded({ viewFrame }: Pick<FrameIntake, 'viewFrame'>, side: number): AcceptFrame {
  return async (upload, accountId) => {
    const { pixels, width, height } = await viewFrame(upload, side, { accountId })
    return { width, height, look: printOf(pixels, side), pixels }
  }
}

/** True if the file ends with the end marker of JPEG, which a truncated file lacks. */
function isWhole(jpeg: Uint8Array): boolean {
  return jpeg.at(-2) === 0xff && jpeg.at(-1) === 0xd9
}

/** Returns a hash of 64 bits, which two files share only if they are the same. */
function fileBits(jpeg: Uint8Array): bigint {
  return createHash('sha1').update(jpeg).digest().readBigUInt64BE()
}

/**
 * Without a classifier: checks a picture by its structure and drops it. Decodes a random sample, and pictures that may
 * be black. The print of other pictures is a hash of the file, so that only the same file counts as the same picture.
 */
export function acceptSampled(
  { viewFrame }: Pick<FrameIntake, 'viewFrame'>,
  { random, side }: { random: () => number; side: number },
): AcceptFrame {
  return async (upload, accountId) => {
    const { width, height, bytes } = checkedFrame(upload)
    if (!isWhole(bytes)) throw unreadableFrame()
    const mayBeBlack = bytes.length < (width * height) / PIXELS_A_BYTE + TABLES_BYTES
    let black = false
    if (mayBeBlack || random() * SAMPLE < 1) {
      const { pixels } = await viewFrame(upload, side, { accountId })
      black = printOf(pixels, side).black
    }
    return { width, height, look: { print: fileBits(bytes), black }, pixels: null }
  }
}
