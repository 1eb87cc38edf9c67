import { createHash } from 'node:crypto'
import { AppError } from '#protocol/errors.ts'
import { FRAME_LIMITS } from '../platform/pictures/decoder-messages.ts'
import type { DecoderPool } from '../platform/pictures/decoder-pool.ts'
import { checkedPicture } from '../platform/pictures/picture-header.ts'
import type { PictureHeader } from '../platform/pictures/picture-refusal.ts'
import { pictureType } from '../platform/pictures/picture-type.ts'
import { printOf } from './rules/picture-print.ts'
import type { AcceptedFrame, CleanFrame, FrameView } from './rules/ports.ts'

const FRAME = { field: 'VideoFrame', unreadable: 'This JPEG cannot be read' }
const unreadableFrame = () => new AppError('bad-request', FRAME.unreadable, { field: FRAME.field })

/** The sender of a frame; `isInternal` is true if the server itself decodes a frame again. */
type Sender = { accountId: string; isInternal?: true }

/** Checks a frame without decoding it. Throws the errors with which `takeFrame` rejects a faulty structure. */
function checkedFrame(bytes: Uint8Array): PictureHeader {
  if (pictureType(bytes) !== 'jpeg') throw new AppError('wrong-type', 'A frame is a JPEG', { field: FRAME.field })
  return checkedPicture('jpeg', bytes, FRAME_LIMITS, FRAME)
}

export type FrameIntake = ReturnType<typeof createFrameIntake>

export function createFrameIntake({ decode }: Pick<DecoderPool, 'decode'>) {
  return {
    /**
     * Resolves with the frame upright and encoded again, without metadata. Rejects with `wrong-type`, with `bad-request` unless it is a
     * complete, readable JPEG within the limits of size and structure, and with the errors of `DecoderPool.decode`.
     */
    async takeFrame(bytes: Uint8Array, sender: Sender): Promise<CleanFrame> {
      const frame = await decode({ ...sender, task: { task: 'clean', bytes: checkedFrame(bytes).bytes } })
      if (!frame) throw unreadableFrame()
      return { jpeg: frame.data, width: frame.width, height: frame.height, print: frame.print ?? null }
    },
    /** Resolves with the frame as a square of pixels: red, green and blue, row by row. Rejects as `takeFrame` does. */
    async viewFrame(bytes: Uint8Array, side: number, sender: Sender): Promise<FrameView> {
      const view = await decode({ ...sender, task: { task: 'view', bytes: checkedFrame(bytes).bytes, side } })
      if (view?.data.length !== side * side * 3) throw unreadableFrame()
      return { pixels: view.data, side, width: view.width, height: view.height }
    },
  }
}

/** Without a classifier, one of this many pictures is decoded. */
export const SAMPLE = 50
/**
 * A picture with more pixels than this for each byte, besides its tables, may be black and is always decoded. A black
 * picture has at least 36 pixels for each byte.
 */
const PIXELS_A_BYTE = 24
const TABLES_BYTES = 2_048

/** Rejects with the errors of `takeFrame`; for a picture that is not decoded, only with those about its structure. */
export type AcceptFrame = (upload: Uint8Array, accountId: string) => Promise<AcceptedFrame>

/** With a classifier: decodes every picture once, to `side` pixels a side. */
export function acceptDecoded({ viewFrame }: Pick<FrameIntake, 'viewFrame'>, side: number): AcceptFrame {
  return async (upload, accountId) => {
    const { pixels, width, height } = await viewFrame(upload, side, { accountId })
    return { width, height, look: printOf(pixels, side), pixels }
  }
}

/** True if the file ends with the end marker of JPEG, which a file that was cut lacks. */
function isWhole(jpeg: Uint8Array): boolean {
  return jpeg.at(-2) === 0xff && jpeg.at(-1) === 0xd9
}

/** Returns 64 bits that two files share only if they are the same. */
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
