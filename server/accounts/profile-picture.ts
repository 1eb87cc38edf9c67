import { AppError } from '#protocol/errors.ts'
import { PROFILE_PICTURE_LIMITS } from '../platform/pictures/decoder-messages.ts'
import type { DecoderPool } from '../platform/pictures/decoder-pool.ts'
import { checkedPicture } from '../platform/pictures/picture-header.ts'
import { pictureType } from '../platform/pictures/picture-type.ts'

const PICTURE = { field: 'ProfilePicture', unreadable: 'This picture cannot be read' }
const unreadable = () => new AppError('bad-request', PICTURE.unreadable, { field: PICTURE.field })

export type ReencodePicture = (bytes: Uint8Array, accountId: string) => Promise<Uint8Array>

/**
 * Returns a function that decodes a picture and encodes it again as a small WebP, without metadata. It rejects with `wrong-type`, with
 * `bad-request` if the picture breaks a limit or cannot be decoded, and with the errors of `DecoderPool.decode`.
 */
export function createReencodePicture({ decode }: Pick<DecoderPool, 'decode'>): ReencodePicture {
  return async (bytes, accountId) => {
    const type = pictureType(bytes)
    if (type === null)
      throw new AppError('wrong-type', 'A picture is JPEG, PNG, GIF, WebP, BMP or ICO', { field: PICTURE.field })
    const checked = type === 'gif' ? bytes : checkedPicture(type, bytes, PROFILE_PICTURE_LIMITS, PICTURE).bytes
    const task = { task: 'shrink', bytes: checked, isBitmap: type === 'bmp' } as const
    const picture = await decode({ accountId, task })
    if (!picture) throw unreadable()
    return picture.data
  }
}
