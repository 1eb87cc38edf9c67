import { AppError } from '#protocol/errors.ts'
import type { OwnPictureState } from '#protocol/profile-endpoints.ts'
import { fieldError } from '../platform/http/problems.ts'
import { PROFILE_PICTURE_LIMITS } from '../platform/pictures/decoder-messages.ts'
import type { DecoderPool } from '../platform/pictures/decoder-pool.ts'
import { checkedPicture } from '../platform/pictures/picture-header.ts'
import { pictureType } from '../platform/pictures/picture-type.ts'
import type { CheckPicture, OwnProfile, PictureCheck, Profiles, StoredPicture } from './rules/profile-ports.ts'

const PICTURE = { field: 'ProfilePicture', unreadable: 'This picture cannot be read' }
const unreadable = () => new AppError('bad-request', PICTURE.unreadable, { field: PICTURE.field })

type ReencodePicture = (bytes: Uint8Array, accountId: string) => Promise<Uint8Array>

/**
 * Returns a function that encodes a picture again as a small WebP without metadata. Rejects with `wrong-type`, with
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

type Deps = {
  profiles: Profiles
  decoder: Pick<DecoderPool, 'decode'>
  /** Null without a classifier. */
  checkPicture: CheckPicture | null
}

export type ProfilePictures = ReturnType<typeof createProfilePictures>

/** The profile pictures that users choose, and what others see of them. */
export function createProfilePictures({ profiles, decoder, checkPicture }: Deps) {
  const reencode = createReencodePicture(decoder)
  const isChecked = checkPicture !== null

  /** True for a picture that others may see. Without a classifier, they may also see unchecked pictures. */
  function mayBeSeen(check: PictureCheck): boolean {
    return check === 'passed' || (check === 'unchecked' && !isChecked)
  }

  async function thumbnailOf(bytes: Uint8Array, accountId: string): Promise<Uint8Array | null> {
    const task = { task: 'thumbnail', bytes } as const
    return (await decoder.decode({ accountId, isInternal: true, task }))?.data ?? null
  }

  /** Makes the missing thumbnail and, with a classifier, the missing check of a picture. */
  async function completed({ large, thumbnail, check }: StoredPicture, accountId: string): Promise<StoredPicture> {
    const checked = check === 'unchecked' && checkPicture ? await checkPicture(large, accountId) : check
    return { large, check: checked, thumbnail: thumbnail ?? (await thumbnailOf(large, accountId)) }
  }

  /** Resolves with the profile. Makes and stores a missing thumbnail or check of its picture. */
  async function completeStored(accountId: string): Promise<OwnProfile | null> {
    const profile = await profiles.find(accountId)
    if (!profile?.picture) return profile
    const picture = await completed(profile.picture, accountId)
    const { thumbnail, check } = profile.picture
    if (picture.thumbnail !== thumbnail || picture.check !== check) await profiles.complete(accountId, picture)
    return picture.check === 'refused' ? { ...profile, picture: null, isPictureRefused: true } : { ...profile, picture }
  }

  return {
    reencode,

    stateOf({ picture, isPictureRefused }: OwnProfile): OwnPictureState {
      if (!picture) return isPictureRefused ? 'refused' : 'none'
      return mayBeSeen(picture.check) ? 'ready' : 'checking'
    },

    /** Encodes a new picture again. Rejects with `picture-refused` if the classifier flags it, and with the errors of `reencode`. */
    async take(bytes: Uint8Array, accountId: string): Promise<StoredPicture> {
      const large = await reencode(bytes, accountId)
      const picture = await completed({ large, thumbnail: null, check: 'unchecked' }, accountId)
      if (picture.check === 'refused')
        throw fieldError('picture-refused', 'ProfilePicture', 'This picture is not allowed by the community guidelines')
      return picture
    },

    read: completeStored,

    /** Resolves with the picture that others see; null if there is none, the user does not show it, or it has not passed the check. */
    async seenByOthers(accountId: string): Promise<Uint8Array | null> {
      const shown = await profiles.findShown(accountId)
      if (!shown) return null
      if (shown.thumbnail && mayBeSeen(shown.check)) return shown.thumbnail
      const { picture = null } = (await completeStored(accountId)) ?? {}
      return picture && mayBeSeen(picture.check) ? picture.thumbnail : null
    },
  }
}
