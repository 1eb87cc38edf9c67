import { AppError } from '#protocol/errors.ts'
import { FRAME_LIMITS } from '../platform/pictures/decoder-messages.ts'
import type { DecoderPool } from '../platform/pictures/decoder-pool.ts'
import { checkedPicture } from '../platform/pictures/picture-header.ts'
import type { PictureHeader } from '../platform/pictures/picture-refusal.ts'
import { pictureType } from '../platform/pictures/picture-type.ts'
import type { CleanFrame, FrameView } from './rules/ports.ts'

const FRAME = { field: 'VideoFrame', unreadable: 'This JPEG cannot be read' }
export const unreadableFrame = () => new AppError('bad-request', FRAME.unreadable, { field: FRAME.field })

/** The sender of a frame; `isInternal` is true if the server itself decodes a frame again. */
type Sender = { accountId: string; isInternal?: true }

/** Checks a frame without decoding it. Throws the errors with which `takeFrame` rejects a faulty structure. */
export function checkedFrame(bytes: Uint8Array): PictureHeader {
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
